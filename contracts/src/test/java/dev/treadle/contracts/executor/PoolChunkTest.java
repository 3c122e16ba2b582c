package dev.treadle.contracts.executor;

import dev.treadle.executor.JobRunrExecutor;
import dev.treadle.executor.ScheduledThreadPoolJobRunrExecutor;

class PoolChunkTest extends ChunkContract {
    @Override
    protected JobRunrExecutor newExecutor() {
        return new ScheduledThreadPoolJobRunrExecutor();
    }
}
