package dev.treadle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobTimeoutException;
import dev.treadle.job.RetryDecision;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.RunNotes;
import dev.treadle.job.SnoozeException;
import dev.treadle.job.StateName;
import dev.treadle.storage.RunStorage;
import dev.treadle.storage.ScriptedStorage;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What jobs tell of themselves, and how they put off or give up their work. */
class NotesTest {
    private final AtomicInteger tells = new AtomicInteger();
    private volatile boolean away;
    private volatile boolean refused;
    private final StorageProvider memory = new InMemoryStorageProvider();
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final Treadle treadle = Treadle.on(ScriptedStorage.over(memory, (call, arguments, real) -> {
                return call.equals("runs") ? mayRefuse((RunStorage) real.make()) : real.make();
            }))
            .settings(Work.QUICK.withRetries(
                    RetryPolicy.DEFAULT.withAttempts(3).withDelays(Duration.ofMillis(1), Duration.ofMillis(1))))
            .handler(Do.class, (task, job) -> {
                work(task.what, job);
            })
            .retry(IOException.class, RetryPolicy.DEFAULT.withAttempts(2).withDelays(ONE, ONE))
            .retry(FileNotFoundException.class, RetryDecision.GIVE_UP)
            .retry(JobTimeoutException.class, RetryDecision.GIVE_UP)
            .start();

    private static final Duration ONE = Duration.ofMillis(1);

    private RunStorage mayRefuse(RunStorage real) {
        return (RunStorage) Proxy.newProxyInstance(
                RunStorage.class.getClassLoader(), new Class<?>[] {RunStorage.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("tell") && (away || refused)) {
                        throw new StorageException("away", null, away);
                    }
                    return method.invoke(real, arguments);
                });
    }

    record Do(String what) implements JobRequest<Void> {}

    private void work(String what, JobContext job) throws Exception {
        switch (what) {
            case "tell" -> {
                for (int n = 1; n <= 1_000; n++) {
                    job.progress(n, 1_000);
                }
                job.log("began");
                job.log("ended\u0000");
                job.meta("file", "a.pdf");
                job.meta("file", "b.pdf");
            }
            case "tell and wait" -> {
                job.progress(1, 2);
                mayEnd.await();
            }
            case "talk" -> {
                for (int n = 0; n < 2 * RunNotes.LOG_LINES_MAX; n++) {
                    job.log("line " + n);
                }
            }
            case "talk at length" -> {
                for (int n = 0; n < 200; n++) {
                    job.log("x".repeat(5_000));
                }
            }
            case "snooze" -> {
                if (tells.incrementAndGet() <= 5) {
                    throw new SnoozeException(ONE);
                }
            }
            case "io" -> throw new IOException("io");
            case "file" -> throw new FileNotFoundException("file");
            case "other" -> throw new IllegalStateException("other");
            default -> {}
        }
    }

    @AfterEach
    void close() {
        away = false;
        refused = false;
        mayEnd.countDown();
        treadle.close();
    }

    @Test
    void what_a_job_told_is_there_when_it_has_ended() {
        JobId id = run("tell");

        RunNotes notes = treadle.jobs().notes(id).orElseThrow();
        assertEquals(1_000L, notes.done());
        assertEquals(1_000L, notes.total());
        assertEquals(Map.of("file", "b.pdf"), notes.meta());
        assertEquals(
                List.of("began", "ended\uFFFD"),
                notes.log().stream().map(RunNotes.LogLine::text).toList());
    }

    @Test
    void what_a_job_told_is_there_while_it_runs() {
        JobId id = treadle.jobs().enqueue(new Do("tell and wait"));

        Await.until("its progress is there", () -> treadle.jobs().notes(id).isPresent());

        assertEquals(1L, treadle.jobs().notes(id).orElseThrow().done());
        assertEquals(StateName.PROCESSING, Work.state(memory, id));
    }

    @Test
    void a_job_that_tells_nothing_leaves_nothing() {
        assertTrue(treadle.jobs().notes(run("nothing")).isEmpty());
    }

    @Test
    void too_many_lines_are_counted_and_left_out() {
        RunNotes many = treadle.jobs().notes(run("talk")).orElseThrow();
        assertEquals(RunNotes.LOG_LINES_MAX, many.log().size());
        String last = many.log().get(RunNotes.LOG_LINES_MAX - 1).text();
        assertTrue(last.startsWith("(1001 more lines were left out"), last);

        RunNotes much = treadle.jobs().notes(run("talk at length")).orElseThrow();
        int chars = much.log().stream().mapToInt(line -> line.text().length()).sum();
        assertTrue(chars < RunNotes.LOG_CHARS_MAX + RunNotes.LINE_CHARS_MAX, () -> chars + " characters");
    }

    @Test
    void an_ending_waits_for_what_the_job_told_while_the_storage_is_away() {
        away = true;
        JobId id = treadle.jobs().enqueue(new Do("tell"));
        Work.untilIn(StateName.PROCESSING, memory, id);
        Await.pass(Duration.ofMillis(100));
        assertEquals(StateName.PROCESSING, Work.state(memory, id));

        away = false;
        Work.untilIn(StateName.SUCCEEDED, memory, id);

        assertEquals(1_000L, treadle.jobs().notes(id).orElseThrow().done());
    }

    @Test
    void what_cannot_be_stored_never_keeps_an_ending_from_being_written() {
        refused = true;
        JobId id = treadle.jobs().enqueue(new Do("tell"));

        Work.untilIn(StateName.SUCCEEDED, memory, id);
    }

    @Test
    void a_job_may_snooze_more_often_than_it_may_fail() {
        JobId id = run("snooze");

        List<String> history = Work.history(memory, id);
        assertEquals(6, history.size());
        assertEquals("SNOOZED 1 SCHEDULED", history.get(4));
        assertEquals("COMPLETED 1 SUCCEEDED", history.get(5));
    }

    @Test
    void the_nearest_type_of_an_exception_decides_how_often_a_job_is_tried() {
        assertEquals(2, attemptsOf("io"));
        assertEquals(1, attemptsOf("file"));
        assertEquals(3, attemptsOf("other"));
    }

    private int attemptsOf(String what) {
        JobId id = treadle.jobs().enqueue(new Do(what));
        Work.untilIn(StateName.FAILED, memory, id);
        return Work.history(memory, id).size();
    }

    private JobId run(String what) {
        JobId id = treadle.jobs().enqueue(new Do(what));
        Work.untilIn(StateName.SUCCEEDED, memory, id);
        return id;
    }
}
