package dev.treadle.showdown;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GcLogTest {
    @Test
    void pauses_are_counted_and_everything_else_is_left_out(@TempDir Path folder) throws Exception {
        Path log = Files.writeString(folder.resolve("log"), """
                [0.009s][info][gc] Using G1
                @ready
                [1.204s][info][gc] GC(0) Pause Full (System.gc()) 18M->7M(40M) 20.500ms
                [2.001s][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 46M->21M(64M) 2.250ms
                [2.101s][info][gc] GC(2) Concurrent Mark Cycle
                [2.105s][info][gc] GC(2) Pause Remark 22M->22M(48M) 1.250ms
                [2.140s][info][gc] GC(2) Concurrent Mark Cycle 39.153ms
                """);

        assertEquals(new GcLog(64, 3, 24), GcLog.read(log));
    }
}
