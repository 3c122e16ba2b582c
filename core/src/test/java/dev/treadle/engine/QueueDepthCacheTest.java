package dev.treadle.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.job.QueueState;
import dev.treadle.storage.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What is asked of the storage for those who watch. */
class QueueDepthCacheTest {
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private boolean away;
    private final QueueDepthCache waiting = new QueueDepthCache(this::states, now::get);

    @Test
    void it_is_asked_once_for_all_that_is_read_while_the_answer_is_fresh() {
        assertEquals(0, asked.get(), "not before somebody reads");

        assertEquals(9, waiting.due());
        assertEquals(9_000, waiting.oldestMillis());
        assertEquals(7, waiting.due("slips"));
        assertEquals(3_000, waiting.oldestMillis("slips"));
        assertEquals(0, waiting.oldestMillis("empty"));
        assertEquals(0, waiting.due("never heard of"));
        now.set(now.get().plusMillis(QueueDepthCache.FRESH_MILLIS - 1));
        assertEquals(9, waiting.due());
        assertEquals(1, asked.get());

        now.set(now.get().plusMillis(1));
        assertEquals(9, waiting.due());
        assertEquals(2, asked.get());
    }

    @Test
    void a_storage_that_does_not_answer_is_not_asked_again_at_once_and_nothing_is_made_up() {
        away = true;

        assertEquals(QueueDepthCache.UNKNOWN, waiting.due());
        assertEquals(QueueDepthCache.UNKNOWN, waiting.oldestMillis("slips"));
        assertEquals(1, asked.get());

        away = false;
        now.set(now.get().plusMillis(QueueDepthCache.FRESH_MILLIS));
        assertEquals(9, waiting.due());
    }

    private List<QueueState> states() {
        asked.incrementAndGet();
        if (away) {
            throw new StorageException("away", null, true);
        }
        return List.of(
                new QueueState("slips", 7, Duration.ofSeconds(3), null),
                new QueueState("mail", 2, Duration.ofSeconds(9), null),
                new QueueState("empty", 0, null, null));
    }
}
