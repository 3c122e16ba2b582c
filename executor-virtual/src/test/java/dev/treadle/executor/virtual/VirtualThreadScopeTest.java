package dev.treadle.executor.virtual;

import dev.treadle.contracts.executor.ScopeContract;
import dev.treadle.executor.JobRunrExecutor;

/** Jobs fork on virtual threads as they do on others. */
class VirtualThreadScopeTest extends ScopeContract {
    @Override
    protected JobRunrExecutor newExecutor() {
        return new VirtualThreadJobRunrExecutor();
    }
}
