package dev.treadle.contracts.executor;

import dev.treadle.executor.JobRunrExecutor;
import java.util.concurrent.RejectedExecutionException;

/** The three published methods are enough to pass. */
class ThreadPerTaskContractTest extends JobRunrExecutorContract {
    @Override
    protected JobRunrExecutor newExecutor() {
        return new ThreadPerTaskExecutor();
    }

    private static class ThreadPerTaskExecutor implements JobRunrExecutor {
        private volatile boolean started;

        @Override
        public Integer getPriority() {
            return 1;
        }

        @Override
        public void start() {
            started = true;
        }

        @Override
        public void stop() {
            started = false;
        }

        @Override
        public void execute(Runnable task) {
            if (!started) {
                throw new RejectedExecutionException("not started, or stopped");
            }
            new Thread(task).start();
        }
    }
}
