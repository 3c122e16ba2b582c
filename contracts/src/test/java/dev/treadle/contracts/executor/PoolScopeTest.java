package dev.treadle.contracts.executor;

import dev.treadle.executor.JobRunrExecutor;
import dev.treadle.executor.ScheduledThreadPoolJobRunrExecutor;

class PoolScopeTest extends ScopeContract {
    @Override
    protected JobRunrExecutor newExecutor() {
        return new ScheduledThreadPoolJobRunrExecutor();
    }
}
