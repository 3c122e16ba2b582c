package dev.treadle.executor.virtual;

import dev.treadle.executor.JobRunrExecutor;
import dev.treadle.testing.executor.ControlContract;

/** Interrupts reach virtual threads as they do others. */
class VirtualThreadControlTest extends ControlContract {
    @Override
    protected JobRunrExecutor newExecutor() {
        return new VirtualThreadJobRunrExecutor();
    }
}
