package dev.treadle.contracts.executor;

import dev.treadle.executor.JobRunrExecutor;
import dev.treadle.executor.ScheduledThreadPoolJobRunrExecutor;

class PoolContractTest extends JobRunrExecutorContract {
    @Override
    protected JobRunrExecutor newExecutor() {
        return new ScheduledThreadPoolJobRunrExecutor();
    }
}
