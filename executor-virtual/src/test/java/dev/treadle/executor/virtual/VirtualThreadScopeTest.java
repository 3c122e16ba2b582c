package dev.treadle.executor.virtual;

import dev.treadle.executor.JobRunrExecutor;
import dev.treadle.testing.executor.ScopeContract;

/** Jobs fork on virtual threads as they do on others. */
class VirtualThreadScopeTest extends ScopeContract {
    @Override
    protected JobRunrExecutor newExecutor() {
        return new VirtualThreadJobRunrExecutor();
    }
}
