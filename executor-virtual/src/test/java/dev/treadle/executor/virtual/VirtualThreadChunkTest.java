package dev.treadle.executor.virtual;

import dev.treadle.contracts.executor.ChunkContract;
import dev.treadle.executor.JobRunrExecutor;

/** Interrupts reach virtual threads as they do others. */
class VirtualThreadChunkTest extends ChunkContract {
    @Override
    protected JobRunrExecutor newExecutor() {
        return new VirtualThreadJobRunrExecutor();
    }
}
