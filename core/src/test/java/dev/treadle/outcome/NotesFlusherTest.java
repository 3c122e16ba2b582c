package dev.treadle.outcome;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Await;
import dev.treadle.job.RunNotes;
import dev.treadle.storage.Leases;
import dev.treadle.storage.NotesUpdate;
import dev.treadle.storage.RunStorage;
import dev.treadle.storage.StorageException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** When what jobs tell is written: not too often, all of it, and before the endings. */
class NotesFlusherTest {
    private Instant now = Instant.parse("2026-03-01T12:00:00Z");
    private final List<NotesUpdate> written = new CopyOnWriteArrayList<>();
    private final AtomicInteger nudges = new AtomicInteger();
    private volatile boolean away;
    private final CountDownLatch underWay = new CountDownLatch(1);
    private final CountDownLatch mayGoOn = new CountDownLatch(1);
    private volatile boolean slow;
    private final NotesFlusher notebooks = new NotesFlusher(storage(), () -> now, nudges::incrementAndGet);
    private final RunNotesBuffer notebook = notebooks.of(Leases.number(1));

    @SuppressWarnings("unchecked")
    private RunStorage storage() {
        return (RunStorage) Proxy.newProxyInstance(
                RunStorage.class.getClassLoader(), new Class<?>[] {RunStorage.class}, (proxy, method, arguments) -> {
                    if (slow) {
                        underWay.countDown();
                        mayGoOn.await();
                    }
                    if (away) {
                        throw new StorageException("away", null, true);
                    }
                    List<NotesUpdate> told = (List<NotesUpdate>) arguments[0];
                    if (told.stream()
                            .flatMap(one -> one.notes().log().stream())
                            .anyMatch(NotesFlusherTest::isUnstorable)) {
                        throw new StorageException("cannot be stored", null, false);
                    }
                    written.addAll(told);
                    return null;
                });
    }

    @Test
    void what_is_told_often_is_written_twice_a_second_at_most() {
        notebook.progress(1, 10);
        notebook.progress(2, 10);
        assertEquals(1, nudges.get());
        assertEquals(Duration.ofSeconds(5), notebooks.turn());
        assertEquals(
                List.of(2L), written.stream().map(told -> told.notes().done()).toList());

        notebook.progress(3, 10);
        now = now.plusMillis(100);
        assertEquals(Duration.ofMillis(400), notebooks.turn());
        assertEquals(1, written.size());

        now = now.plusMillis(400);
        notebooks.turn();
        assertEquals(3L, written.get(1).notes().done());
    }

    @Test
    void lines_whose_write_failed_are_written_later_each_once_and_in_their_order() {
        notebook.log("one");
        away = true;
        assertThrows(StorageException.class, notebooks::turn);
        notebook.log("two");
        away = false;
        now = now.plusSeconds(1);
        notebooks.turn();

        assertEquals(
                List.of("one", "two"),
                written.get(0).notes().log().stream()
                        .map(RunNotes.LogLine::text)
                        .toList());
        assertEquals(1, written.size());
    }

    private static boolean isUnstorable(RunNotes.LogLine line) {
        return line.text().equals("unstorable");
    }

    @Test
    void notes_that_cannot_be_stored_take_no_others_along() {
        RunNotesBuffer bad = notebooks.of(Leases.number(2));
        RunNotesBuffer other = notebooks.of(Leases.number(3));
        notebook.log("one");
        bad.log("unstorable");
        other.log("three");
        notebooks.turn();

        assertEquals(
                Set.of("one", "three"),
                written.stream()
                        .flatMap(told -> told.notes().log().stream())
                        .map(RunNotes.LogLine::text)
                        .collect(Collectors.toSet()));
        notebook.log("two");
        now = now.plusSeconds(1);
        notebooks.turn();
        assertEquals("two", written.get(2).notes().log().get(0).text(), "what cannot be stored is not tried again");
    }

    @Test
    void an_ending_waits_for_what_is_under_way() {
        slow = true;
        notebook.progress(1, 1);
        Thread loop = new Thread(notebooks::turn, "notes");
        loop.start();
        Await.until("the write is under way", () -> underWay.getCount() == 0);
        notebook.close();
        Thread record = new Thread(notebooks::writeOfEnded, "record");
        record.start();
        Await.until("the ending waits", () -> record.getState() == Thread.State.WAITING);
        assertTrue(written.isEmpty());

        mayGoOn.countDown();
        Await.until("both are done", () -> !record.isAlive() && !loop.isAlive());

        assertEquals(1, written.size());
    }

    @Test
    void what_has_ended_is_written_at_once_and_tells_nothing_more() {
        notebook.progress(1, 2);
        notebooks.turn();
        notebook.progress(2, 2);
        notebooks.writeOfEnded();
        assertEquals(1, written.size(), "it has not ended");

        notebook.close();
        notebook.progress(3, 2);
        notebooks.writeOfEnded();

        assertEquals(2, written.size());
        assertEquals(2L, written.get(1).notes().done());
        assertFalse(nudges.get() == 0);
    }

    @Test
    void what_makes_no_sense_is_refused_where_it_is_said() {
        assertThrows(IllegalArgumentException.class, () -> notebook.progress(-1, 2));
        assertThrows(IllegalArgumentException.class, () -> notebook.meta(" ", "x"));
        for (int n = 0; n < RunNotes.META_KEYS_MAX; n++) {
            notebook.meta("key " + n, "x");
        }
        assertThrows(IllegalArgumentException.class, () -> notebook.meta("one more", "x"));
        notebook.meta("key 1", "again");
    }
}
