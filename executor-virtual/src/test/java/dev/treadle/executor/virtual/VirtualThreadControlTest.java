package dev.treadle.executor.virtual;

import dev.treadle.contracts.executor.ControlContract;
import dev.treadle.executor.JobRunrExecutor;

/** Interrupts reach virtual threads as they do others. */
class VirtualThreadControlTest extends ControlContract {
    @Override
    protected JobRunrExecutor newExecutor() {
        return new VirtualThreadJobRunrExecutor();
    }
}
