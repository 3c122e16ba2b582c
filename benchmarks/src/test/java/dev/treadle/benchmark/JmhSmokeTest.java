package dev.treadle.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;

class JmhSmokeTest {
    @Test
    void every_hot_path_does_what_it_is_measured_for() {
        HotPaths paths = new HotPaths();
        assertEquals("place(long,java.lang.String)", paths.captureLambda().method());
        assertEquals(HotPaths.Order.class.getName(), paths.captureRequest().type());
        assertEquals(42, paths.payloadRead().id());
        assertFalse(paths.payloadWrite().isEmpty());
        assertEquals(true, paths.permit());
        assertEquals(HotPaths.BATCH, paths.recorder().size());
        assertEquals(HotPaths.BATCH, paths.recorder().size());
    }
}
