/** What applications test their jobs with. */
module dev.treadle.testing {
    requires transitive dev.treadle.core;
    requires static transitive org.jspecify;

    exports dev.treadle.testing;
}
