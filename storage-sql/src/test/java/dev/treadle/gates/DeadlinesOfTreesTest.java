package dev.treadle.gates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.api.JobOptions;
import dev.treadle.job.ChildOptions;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobState;
import dev.treadle.job.JobTraits;
import dev.treadle.job.JoinRule;
import dev.treadle.job.StateName;
import dev.treadle.job.StopReason;
import dev.treadle.storage.admin.AdminStorage;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs that must have ended by a time, with all that they have spawned, and options of children. */
@ParameterizedClass
@EnumSource(GateFixture.Kind.class)
@Timeout(240)
class DeadlinesOfTreesTest extends GateFixture {
    record Close(int year) implements JobRequest<String> {}

    record Part(int number) implements JobRequest<Void> {}

    private final Map<Integer, JobId> parts = new ConcurrentHashMap<>();
    private final CountDownLatch running = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final AtomicReference<StopReason> reason = new AtomicReference<>();

    DeadlinesOfTreesTest(Kind kind) {
        super(kind);
    }

    /** Waits for an hour, until it is interrupted. */
    private Treadle.Builder waiting() {
        return builder().handler(Part.class, (part, job) -> {
            parts.put(part.number(), job.jobId());
            running.countDown();
            try {
                new CountDownLatch(1).await(1, TimeUnit.HOURS);
            } catch (InterruptedException e) {
                reason.set(job.stopReason());
                interrupted.countDown();
                throw e;
            }
        });
    }

    @Test
    void a_parent_that_waits_fails_when_its_deadline_passes_and_its_children_are_cancelled() throws Exception {
        Treadle treadle = opened(waiting()
                .resultHandler(Close.class, (close, job) -> {
                    job.spawn("part", IntStream.range(0, 20).mapToObj(Part::new))
                            .join(JoinRule.ALL_END);
                    return "closed";
                })
                .start());
        JobId parent = treadle.jobs()
                .with(JobOptions.DEFAULT.withDeadline(Instant.now().plusSeconds(3)))
                .enqueue(new Close(2026));
        assertTrue(running.await(60, TimeUnit.SECONDS));

        awaitState(treadle, parent, StateName.FAILED);
        JobState.Failed failed = (JobState.Failed) story(treadle, parent).job().state();
        assertEquals("Expired", failed.failure().type());
        assertTrue(interrupted.await(60, TimeUnit.SECONDS), "a part that runs is interrupted");
        assertEquals(StopReason.LEASE_LOST, reason.get());
        for (long part = 0; part < 20; part++) {
            JobId child = dev.treadle.job.GateId.of(parent, "part").child(part);
            StateName state = story(treadle, child).job().state().name();
            assertTrue(state == StateName.FAILED || state == StateName.CANCELLED, state::name);
        }
        assertEquals(0, AdminStorage.of(treadle.storage()).search().counts().get(StateName.PROCESSING));
    }

    @Test
    void a_child_has_the_earlier_one_of_its_deadline_and_that_of_its_parent() throws Exception {
        Instant early = Instant.parse("2099-01-01T00:00:00Z");
        Instant late = Instant.parse("2100-01-01T00:00:00Z");
        Treadle treadle = opened(builder()
                .handler(Part.class, (part, job) -> parts.put(part.number(), job.jobId()))
                .resultHandler(Close.class, (close, job) -> {
                    Instant earlier = early.minusSeconds(1);
                    Instant later = early.plusSeconds(1);
                    job.spawn("inherits", new Part(1)).join();
                    job.spawn("earlier", new Part(2), ChildOptions.DEFAULT.withDeadline(earlier))
                            .join();
                    job.spawn("later", new Part(3), ChildOptions.DEFAULT.withDeadline(later))
                            .join();
                    return job.remaining() == null ? "no end" : "an end";
                })
                .start());

        JobId bound =
                treadle.jobs().with(JobOptions.DEFAULT.withDeadline(early)).enqueue(new Close(1));
        assertEquals(
                "an end",
                treadle.jobs()
                        .await(bound, String.class, Duration.ofSeconds(60))
                        .orElseThrow());
        assertEquals(early, traits(treadle, 1).deadline());
        assertEquals(early.minusSeconds(1), traits(treadle, 2).deadline());
        assertEquals(early, traits(treadle, 3).deadline());

        JobId free = treadle.jobs().enqueue(new Close(2));
        assertEquals(
                "no end",
                treadle.jobs().await(free, String.class, Duration.ofSeconds(60)).orElseThrow());
        assertEquals(null, traits(treadle, 1).deadline());
        assertTrue(traits(treadle, 3).deadline().isBefore(late));
    }

    @Test
    void a_child_has_the_options_it_was_spawned_with() throws Exception {
        Treadle treadle = opened(builder()
                .handler(Part.class, (part, job) -> parts.put(part.number(), job.jobId()))
                .resultHandler(Close.class, (close, job) -> {
                    job.spawn(
                                    "part",
                                    IntStream.range(0, 3).mapToObj(Part::new),
                                    ChildOptions.DEFAULT
                                            .withQueue("parts")
                                            .withPriority(7)
                                            .withLabels("year-" + close.year())
                                            .withName("part {number}")
                                            .withHeader("tenant", "acme")
                                            .withDelay(Duration.ofMillis(1_500)))
                            .join();
                    return "closed";
                })
                .start());
        Instant began = Instant.now();
        JobId parent = treadle.jobs().enqueue(new Close(2026));

        assertEquals(
                "closed",
                treadle.jobs()
                        .await(parent, String.class, Duration.ofSeconds(60))
                        .orElseThrow());

        assertTrue(Duration.between(began, Instant.now()).toMillis() >= 1_500, "they were due later");
        JobTraits traits = traits(treadle, 2);
        assertEquals("parts", traits.queue());
        assertEquals(7, traits.priority());
        assertEquals("part 2", traits.name());
        assertEquals(Map.of("tenant", "acme"), traits.headers());
        assertEquals(3, treadle.jobs().labelled("year-2026").size());
    }

    private JobTraits traits(Treadle treadle, int part) {
        return story(treadle, parts.get(part)).job().traits();
    }
}
