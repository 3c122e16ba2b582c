package dev.treadle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.Failure;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobRequestHandler;
import dev.treadle.job.NodeId;
import dev.treadle.job.StateName;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Several Treadles in one process share nothing but the storage they are given. */
class SeveralTreadlesTest {
    /** Looks for parked jobs every third of a second. */
    private static final JobServerSettings SETTINGS = Work.QUICK.withDeadAfter(Duration.ofSeconds(1));

    private final StorageProvider storage = new InMemoryStorageProvider();

    record Meet(int number) implements JobRequest<Void> {}

    /** Ends only if two run at the same time. */
    private static final class MeetHandler implements JobRequestHandler<Meet> {
        private final CyclicBarrier both;
        final Set<NodeId> nodes = ConcurrentHashMap.newKeySet();

        MeetHandler(CyclicBarrier both) {
            this.both = both;
        }

        @Override
        public void run(Meet meet, JobContext context) throws Exception {
            nodes.add(context.node());
            both.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    void two_on_one_storage_both_run_jobs() {
        CyclicBarrier both = new CyclicBarrier(2);
        MeetHandler ones = new MeetHandler(both);
        MeetHandler others = new MeetHandler(both);
        try (Treadle one = start(ones, Work.QUICK.withWorkers(1));
                Treadle other = start(others, Work.QUICK.withWorkers(1))) {
            // why this ends at all: each has one worker, and a job ends only when another runs beside it
            List<JobId> ids = one.jobs().enqueueAll(IntStream.range(0, 10).mapToObj(Meet::new));
            Work.untilSucceeded(storage, ids);

            assertEquals(Set.of(nodeOf(one)), ones.nodes);
            assertEquals(Set.of(nodeOf(other)), others.nodes);
            assertNotEquals(nodeOf(one), nodeOf(other));
        }
    }

    @Test
    void two_on_two_storages_know_nothing_of_each_other() {
        MeetHandler ones = new MeetHandler(new CyclicBarrier(1));
        MeetHandler others = new MeetHandler(new CyclicBarrier(1));
        StorageProvider elsewhere = new InMemoryStorageProvider();
        try (Treadle other = Treadle.on(elsewhere)
                .settings(SETTINGS)
                .handler(Meet.class, others)
                .start()) {
            JobId there = other.jobs().enqueue(new Meet(2));
            Work.untilSucceeded(elsewhere, List.of(there));
            try (Treadle one = start(ones, SETTINGS)) {
                JobId here = one.jobs().enqueue(new Meet(1));
                Work.untilSucceeded(storage, List.of(here));

                assertTrue(one.jobs().find(there).isEmpty());
                assertTrue(other.jobs().find(here).isEmpty());
            }
            Work.untilSucceeded(elsewhere, List.of(other.jobs().enqueue(new Meet(3))));
        }
    }

    @Test
    void a_process_that_only_enqueues_runs_nothing_and_leaves_it_to_others() {
        try (Treadle web = Treadle.on(storage).enqueueOnly()) {
            assertTrue(web.server().isEmpty());
            JobId id = web.jobs().enqueue(new Meet(1));
            Await.pass(Duration.ofMillis(100));
            assertEquals(StateName.ENQUEUED, Work.state(storage, id));

            try (Treadle worker = start(new MeetHandler(new CyclicBarrier(1)), SETTINGS)) {
                assertTrue(worker.server().isPresent());
                Work.untilSucceeded(storage, List.of(id));
            }
        }
    }

    @Test
    void a_job_nobody_can_run_is_parked_with_no_attempt_burned_until_somebody_can() {
        try (Treadle without = Treadle.on(storage).settings(SETTINGS).start()) {
            JobId id = without.jobs().enqueue(new Meet(1));
            Work.untilIn(StateName.PARKED, storage, id);
            assertEquals(List.of("NOT_RUNNABLE 1 PARKED"), Work.history(storage, id));
            Failure why = Work.story(storage, id).history().get(0).why();
            assertNotNull(why);
            assertTrue(why.message().contains("No handler is registered on this node"), why.message());
            assertEquals(0, Work.story(storage, id).job().attempt());

            try (Treadle with = start(new MeetHandler(new CyclicBarrier(1)), SETTINGS)) {
                Work.untilIn(StateName.SUCCEEDED, storage, id);
                assertEquals(
                        nodeOf(with),
                        Work.story(storage, id)
                                .history()
                                .get(Work.history(storage, id).size() - 1)
                                .node());
            }
            List<String> story = Work.history(storage, id);
            assertEquals("COMPLETED 1 SUCCEEDED", story.get(story.size() - 1));
            assertFalse(story.contains("THREW 1 SCHEDULED"));
        }
    }

    private Treadle start(MeetHandler handler, JobServerSettings settings) {
        return Treadle.on(storage)
                .settings(settings)
                .handler(Meet.class, handler)
                .start();
    }

    private static NodeId nodeOf(Treadle treadle) {
        return treadle.server().orElseThrow().self().id();
    }
}
