/** What the authors of storages and executors test with: the contracts that an implementation has to keep. */
module dev.treadle.contracts {
    requires transitive dev.treadle.core;
    requires transitive org.junit.jupiter.api;
    requires static transitive org.jspecify;

    exports dev.treadle.contracts;
    exports dev.treadle.contracts.executor;
    exports dev.treadle.contracts.storage;

    // the test methods are package-private, and JUnit calls them
    opens dev.treadle.contracts.executor to
            org.junit.platform.commons;
    opens dev.treadle.contracts.storage to
            org.junit.platform.commons;
}
