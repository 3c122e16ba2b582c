/** Meters, observations and traces of Treadle for Micrometer. */
module dev.treadle.micrometer {
    requires transitive dev.treadle.core;
    requires transitive micrometer.commons;
    requires transitive micrometer.core;
    requires transitive micrometer.observation;
    // only for links between traces
    requires static transitive micrometer.tracing;
    requires static transitive org.jspecify;

    exports dev.treadle.micrometer;
}
