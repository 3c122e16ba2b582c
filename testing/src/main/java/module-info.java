/** What users and implementers test with: contract suites and settable time. */
module dev.treadle.testing {
    requires transitive dev.treadle.core;
    requires transitive org.junit.jupiter.api;
    requires static transitive org.jspecify;

    exports dev.treadle.testing;
    exports dev.treadle.testing.executor;
    exports dev.treadle.testing.storage;

    // the test methods are package-private, and JUnit calls them
    opens dev.treadle.testing.executor to
            org.junit.platform.commons;
    opens dev.treadle.testing.storage to
            org.junit.platform.commons;
}
