package dev.treadle.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftoversTest {
    @TempDir
    Path parent;

    @Test
    void what_a_killed_measurement_left_is_removed_and_what_a_living_one_uses_is_not() throws Exception {
        Process dead = new ProcessBuilder("true").start();
        assertEquals(0, dead.waitFor());
        Path left = folder("bench-1");
        Files.writeString(left.resolve("owner.pid"), String.valueOf(dead.pid()));
        Path used = folder("bench-2");
        Leftovers.claim(used);
        Path nobodys = folder("bench-3");
        Path other = folder("else");
        Files.writeString(other.resolve("owner.pid"), String.valueOf(dead.pid()));

        Leftovers.remove(parent, "bench-");

        assertFalse(Files.exists(left));
        assertTrue(Files.exists(used.resolve("data")));
        assertTrue(Files.exists(nobodys));
        assertTrue(Files.exists(other));
    }

    private Path folder(String name) throws Exception {
        return Files.createDirectories(parent.resolve(name).resolve("data")).getParent();
    }
}
