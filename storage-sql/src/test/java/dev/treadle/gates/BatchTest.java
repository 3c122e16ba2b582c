package dev.treadle.gates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.treadle.Treadle;
import dev.treadle.api.Batch;
import dev.treadle.api.JobOptions;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs that are enqueued as one. */
@ParameterizedClass
@EnumSource(GateFixture.Kind.class)
@Timeout(240)
class BatchTest extends GateFixture {
    private static final JobOptions OPTIONS = JobOptions.DEFAULT;

    record Import(int row) implements JobRequest<Void> {}

    record Tell(String whom) implements JobRequest<Void> {}

    record Nested(int count) implements JobRequest<Void> {}

    private final ConcurrentLinkedQueue<Integer> imported = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> told = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean fails = new AtomicBoolean();

    BatchTest(Kind kind) {
        super(kind);
    }

    private Treadle treadle() {
        return opened(builder()
                .retry(IllegalStateException.class, RetryPolicy.NEVER)
                .handler(Import.class, (row, job) -> {
                    if (fails.get() && row.row() == 7) {
                        throw new IllegalStateException("row 7 cannot be read");
                    }
                    imported.add(row.row());
                })
                .handler(
                        Nested.class,
                        (nested, job) -> job.spawn("row", rows(nested.count())).join())
                .handler(Tell.class, (tell, job) -> told.add(tell.whom()))
                .start());
    }

    private static Stream<Import> rows(int count) {
        return IntStream.range(0, count).mapToObj(Import::new);
    }

    @Test
    void a_batch_succeeds_when_all_of_its_jobs_have() {
        Treadle treadle = treadle();
        JobScheduler jobs = treadle.jobs();
        Batch batch = jobs.batch("import", rows(2_300));
        JobId report = jobs.with(OPTIONS.after(batch.id())).enqueue(new Tell("sales"));
        JobId alarm = jobs.with(OPTIONS.afterFailureOf(batch.id())).enqueue(new Tell("on-call"));

        awaitState(treadle, report, StateName.SUCCEEDED);
        awaitState(treadle, alarm, StateName.CANCELLED);

        assertEquals(2_300, imported.size());
        assertEquals(new Batch.Progress(2_300, true, 2_300, 0), batch.progress());
        assertEquals(0, jobs.batch(batch.id()).progress().left());
        assertEquals("import", story(treadle, batch.id()).job().traits().name());
        assertEquals(
                StateName.SUCCEEDED,
                story(treadle, batch.id(2_299)).job().state().name());
        assertEquals(1, told.size());
    }

    @Test
    void a_batch_fails_when_one_has_and_succeeds_once_that_was_mended() {
        fails.set(true);
        Treadle treadle = treadle();
        JobScheduler jobs = treadle.jobs();
        Batch batch = jobs.batch("import", rows(10));
        JobId report = jobs.with(OPTIONS.after(batch.id())).enqueue(new Tell("sales"));
        JobId alarm = jobs.with(OPTIONS.afterFailureOf(batch.id())).enqueue(new Tell("on-call"));

        awaitState(treadle, alarm, StateName.SUCCEEDED);
        assertEquals(new Batch.Progress(10, true, 9, 1), batch.progress());
        assertEquals(StateName.FAILED, story(treadle, batch.id()).job().state().name());
        assertEquals(StateName.WAITING, story(treadle, report).job().state().name());
        fails.set(false);
        assertEquals(WriteResult.WRITTEN, jobs.runAgain(batch.id(7), "anna", null));
        assertEquals(WriteResult.WRITTEN, jobs.runAgain(batch.id(), "anna", null));

        awaitState(treadle, report, StateName.SUCCEEDED);
        assertEquals(new Batch.Progress(10, true, 10, 0), batch.progress());
    }

    @Test
    void a_batch_whose_process_died_goes_on_behind_the_last_page() {
        Treadle treadle = treadle();
        JobScheduler jobs = treadle.jobs();
        JobId id = JobId.of(new UUID(0x0199_0000_0000_7000L, 0x8000_0000_0000_0001L));
        JobScheduler same = jobs.with(OPTIONS.withId(id));
        Stream<Import> dies = rows(2_500).peek(row -> {
            if (row.row() == 2_100) {
                throw new IllegalStateException("the process dies");
            }
        });
        assertThrows(IllegalStateException.class, () -> same.batch("import", dies));
        Batch.Progress half = jobs.batch(id).progress();
        assertEquals(2_000, half.jobs());
        assertFalse(half.complete());
        assertThrows(IllegalStateException.class, () -> same.batch("import", rows(1_500)), "another stream");

        Batch batch = same.batch("import", rows(2_500));
        awaitState(treadle, id, StateName.SUCCEEDED);
        same.batch("import", rows(2_500));

        assertEquals(2_500, imported.size());
        assertEquals(2_500, imported.stream().distinct().count());
        assertEquals(new Batch.Progress(2_500, true, 2_500, 0), batch.progress());
    }

    @Test
    void jobs_of_a_batch_spawn_jobs_and_batches_follow_batches() {
        Treadle treadle = treadle();
        JobScheduler jobs = treadle.jobs();
        Batch outer = jobs.batch("outer", Stream.of(new Nested(20), new Nested(30)));
        Batch empty = jobs.batch("empty", Stream.<Import>empty());
        JobId both = jobs.with(OPTIONS.after(outer.id(), empty.id())).enqueue(new Tell("all"));

        awaitState(treadle, both, StateName.SUCCEEDED);
        assertEquals(50, imported.size());
    }

    @Test
    void a_batch_takes_part_in_a_transaction() {
        assumeTrue(database != null, "memory has no transactions");
        Treadle treadle = treadle();
        JobScheduler jobs = treadle.jobs();
        @Nullable Batch[] made = new Batch[1];
        assertThrows(
                NumberFormatException.class,
                () -> jobs.transaction(Objects.requireNonNull(database), connection -> {
                    made[0] = jobs.batch("import", rows(1_200));
                    return Integer.parseInt("none");
                }));
        Batch gone = Objects.requireNonNull(made[0]);
        assertThrows(NoSuchElementException.class, gone::progress);
        assertTrue(jobs.find(gone.id(0)).isEmpty());

        Batch there =
                jobs.transaction(Objects.requireNonNull(database), connection -> jobs.batch("import", rows(1_200)));
        awaitState(treadle, there.id(), StateName.SUCCEEDED);
        assertEquals(1_200, imported.size());
    }

    @Test
    void what_cannot_be_is_refused() {
        Treadle treadle = treadle();
        JobScheduler jobs = treadle.jobs();
        JobId there = jobs.enqueue(new Import(1));
        assertThrows(
                IllegalArgumentException.class,
                () -> jobs.with(OPTIONS.after(there)).batch("import", rows(1)));
        assertThrows(
                IllegalArgumentException.class,
                () -> jobs.with(OPTIONS.withIdsUnder(there)).batch("import", rows(1)));
        assertThrows(
                IllegalStateException.class,
                () -> jobs.with(OPTIONS.withId(there)).batch("import", rows(1)));
        Batch batch = jobs.with(OPTIONS.withDelay(Duration.ofHours(1))).batch("import", rows(3));
        assertEquals(3, batch.progress().left());
        assertEquals(WriteResult.WRITTEN, jobs.cancel(batch.id(), "anna", "not today"));
        awaitState(treadle, batch.id(2), StateName.CANCELLED);
        assertThrows(NoSuchElementException.class, () -> jobs.batch(there).progress());
    }
}
