package dev.treadle.benchmark;

import java.util.function.Consumer;

/** Makes contenders. */
final class Contenders {
    private Contenders() {}

    static Contender of(Peer peer, Database database, Consumer<Work> body) {
        return switch (peer) {
            case TREADLE -> new TreadleContender(database, body, "virtual");
            case TREADLE_POOL -> new TreadleContender(database, body, "pool");
            case BARE -> new BareContender(database, body);
            case JOBRUNR -> new JobRunrContender(database, body);
            case DB_SCHEDULER -> new DbSchedulerContender(database, body);
            case QUARTZ -> new QuartzContender(database, body);
            case DBOS ->
                throw new IllegalArgumentException("DBOS is measured where jobs are made of jobs, only there.");
        };
    }
}
