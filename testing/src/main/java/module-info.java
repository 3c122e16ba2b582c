/** What users and implementers test with: contract suites, settable time, due jobs run on demand. */
module dev.treadle.testing {
    requires transitive dev.treadle.core;
    requires transitive org.junit.jupiter.api;
    requires static transitive org.jspecify;

    exports dev.treadle.testing.executor;

    // the test methods are package-private, and JUnit calls them
    opens dev.treadle.testing.executor to
            org.junit.platform.commons;
}
