package dev.treadle.executor.virtual;

import dev.treadle.executor.JobRunrExecutor;
import dev.treadle.testing.executor.JobRunrExecutorContract;

class VirtualThreadContractTest extends JobRunrExecutorContract {
    @Override
    protected JobRunrExecutor newExecutor() {
        return new VirtualThreadJobRunrExecutor();
    }
}
