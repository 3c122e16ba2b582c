/** What applications test their jobs with. */
module dev.treadle.testing {
    requires transitive dev.treadle.core;
    requires static transitive org.jspecify;
    // only for those who use the extension
    requires static transitive org.junit.jupiter.api;
    // only for those who use its style
    requires static transitive org.assertj.core;

    exports dev.treadle.testing;
}
