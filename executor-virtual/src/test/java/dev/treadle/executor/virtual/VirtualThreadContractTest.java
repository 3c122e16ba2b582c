package dev.treadle.executor.virtual;

import dev.treadle.contracts.executor.JobRunrExecutorContract;
import dev.treadle.executor.JobRunrExecutor;

class VirtualThreadContractTest extends JobRunrExecutorContract {
    @Override
    protected JobRunrExecutor newExecutor() {
        return new VirtualThreadJobRunrExecutor();
    }
}
