package dev.treadle.contracts.executor;

import dev.treadle.executor.JobRunrExecutor;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/** An executor written to the published interface, over a pool of the JDK, passes with only its import changed. */
class PublishedPoolContractTest extends JobRunrExecutorContract {
    private static final int SIZE = 8;

    @Override
    protected JobRunrExecutor newExecutor() {
        return new PublishedExecutor();
    }

    @Override
    protected int workers() {
        return SIZE;
    }

    @Override
    protected boolean takesItsSizeFromSettings() {
        return false;
    }

    /** It is the JDK's own pool; ours looks whether the task was cancelled, and refuses it. */
    @Override
    protected boolean mayDropAtTheStop() {
        return true;
    }

    private static class PublishedExecutor extends ScheduledThreadPoolExecutor implements JobRunrExecutor {
        PublishedExecutor() {
            super(SIZE);
        }

        @Override
        public Integer getPriority() {
            return 10;
        }

        @Override
        public void start() {
            prestartAllCoreThreads();
        }

        @Override
        public void stop() {
            shutdown();
        }
    }
}
