package dev.treadle.dashboard.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.treadle.storage.InMemoryStorageProvider;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class MonitorTest {
    @Test
    void who_asks_before_the_first_look_waits_for_it() throws Exception {
        Monitor monitor = new Monitor(new InMemoryStorageProvider(), InstantSource.system(), () -> 0, null);
        CompletableFuture<Monitor.Tick> asked = CompletableFuture.supplyAsync(monitor::last);
        assertThrows(TimeoutException.class, () -> asked.get(200, TimeUnit.MILLISECONDS));
        monitor.turn();
        assertEquals(
                Verdict.Level.IDLE, asked.get(30, TimeUnit.SECONDS).verdict().level());
    }
}
