/** Treadle's core: put work in, keep it safe, run it on whatever threads you plug in. */
@SuppressWarnings("module") // the dashboard is compiled later
module dev.treadle.core {
    requires transitive org.slf4j;
    requires static transitive org.jspecify;
    requires org.objectweb.asm;
    requires tools.jackson.databind;
    requires transitive java.sql;
    // a JVM without these still runs jobs, unwatched
    requires static java.management;
    requires static jdk.jfr;
    requires static jdk.management;

    exports dev.treadle;
    exports dev.treadle.api;
    exports dev.treadle.executor;
    exports dev.treadle.health;
    exports dev.treadle.job;
    exports dev.treadle.lifecycle;
    exports dev.treadle.schedule;
    exports dev.treadle.server;
    exports dev.treadle.storage;
    exports dev.treadle.storage.admin;
    exports dev.treadle.storage.memory;
    exports dev.treadle.transaction;
    // what jobs mark as secret is hidden on the page too
    exports dev.treadle.payload to
            dev.treadle.dashboard;
    // the dashboard looks every second, and judges by the same rules
    exports dev.treadle.health.rules to
            dev.treadle.dashboard;

    uses dev.treadle.executor.JobRunrExecutor;
    uses dev.treadle.transaction.TransactionLink;
}
