package dev.treadle.contracts.executor;

import dev.treadle.executor.JobRunrExecutor;
import dev.treadle.executor.ScheduledThreadPoolJobRunrExecutor;

class PoolControlTest extends ControlContract {
    @Override
    protected JobRunrExecutor newExecutor() {
        return new ScheduledThreadPoolJobRunrExecutor();
    }
}
