package dev.treadle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.JobOptions;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.JobActivator;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobRequestHandler;
import dev.treadle.job.ResultHandler;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every form in which work can be put in is run with what was put in. */
class WaysToEnqueueTest {
    /** Filled also by instances that the default activator makes, which know nobody; emptied after each test. */
    private static final Queue<String> DONE = new ConcurrentLinkedQueue<>();

    private final StorageProvider storage = new InMemoryStorageProvider();
    private final Post post = new Office("the test's");
    private final Treadle treadle = Treadle.on(storage)
            .settings(Work.QUICK)
            .activator(new OneOffice())
            .resultHandler(Greet.class, new GreetHandler())
            .handler(Count.class, CountHandler.class)
            .start();
    private final JobScheduler jobs = treadle.jobs();

    record Greet(String name) implements JobRequest<String> {}

    record Count(int number) implements JobRequest<Void> {}

    static class GreetHandler implements ResultHandler<Greet, String> {
        @Override
        public String run(Greet greet, JobContext context) {
            DONE.add("greet " + greet.name());
            return greet.name();
        }
    }

    static class CountHandler implements JobRequestHandler<Count> {
        @Override
        public void run(Count count, JobContext context) {
            DONE.add("count " + count.number());
        }
    }

    interface Post {
        void close(String door);

        void send(String what);

        void send(String what, int times);

        void send(String what, int times, List<String> to);

        void tell(long id, @Nullable JobContext context);
    }

    /** Not known where jobs are enqueued: the declared type is {@link Post}. */
    static final class Office implements Post {
        private final String owner;

        Office(String owner) {
            this.owner = owner;
        }

        @Override
        public void close(String door) {
            DONE.add(owner + " closes " + door);
        }

        @Override
        public void send(String what) {
            DONE.add(owner + " sends " + what);
        }

        @Override
        public void send(String what, int times) {
            DONE.add(owner + " sends " + what + " " + times);
        }

        @Override
        public void send(String what, int times, List<String> to) {
            DONE.add(owner + " sends " + what + " " + times + " " + to);
        }

        @Override
        public void tell(long id, @Nullable JobContext context) {
            DONE.add(id + " is " + (context == null ? "nobody" : context.jobId() + " in attempt " + context.attempt()));
        }
    }

    static class Plain {
        void run(String what) {
            DONE.add("plain " + what);
        }

        static void still(String what) {
            DONE.add("static " + what);
        }
    }

    /** Supplies another implementation of the declared type than the one at hand when the job was enqueued. */
    private static final class OneOffice implements JobActivator {
        private final Post post = new Office("the node's");

        @Override
        public <T> T activate(Class<T> type) throws Exception {
            return type == Post.class
                    ? type.cast(post)
                    : type.getDeclaredConstructor().newInstance();
        }
    }

    @AfterEach
    void close() {
        treadle.close();
        DONE.clear();
    }

    @Test
    void a_request_runs_on_its_handler() {
        ran(jobs.enqueue(new Greet("world")), "greet world");
    }

    @Test
    void a_request_runs_on_an_instance_of_its_handlers_class() {
        ran(jobs.enqueue(new Count(7)), "count 7");
    }

    @Test
    void a_lambda_runs_on_what_the_activator_supplies_for_the_declared_type() {
        String letter = "a letter";

        ran(jobs.enqueue(() -> post.send(letter)), "the node's sends a letter");
    }

    @Test
    void a_lambda_may_call_a_static_method() {
        ran(jobs.enqueue(() -> Plain.still("life")), "static life");
    }

    @Test
    void a_lambda_on_a_service_needs_none_where_it_is_enqueued() {
        ran(jobs.<Post>enqueue(service -> service.send("a card", 2)), "the node's sends a card 2");
    }

    @Test
    void a_method_reference_takes_one_to_three_arguments() {
        ran(jobs.enqueue(post::close, "the gate"), "the node's closes the gate");
        ran(jobs.enqueue(post::send, "a box", 3), "the node's sends a box 3");
        ran(jobs.enqueue(post::send, "a box", 3, List.of("Ada", "Zoë")), "the node's sends a box 3 [Ada, Zoë]");
    }

    @Test
    void the_real_context_takes_the_place_of_the_supplied_one() {
        JobId byLambda = jobs.enqueue(() -> post.tell(1L, JobContext.SUPPLIED));
        ran(byLambda, "1 is " + byLambda + " in attempt 1");

        JobId byService = jobs.<Post>enqueue(service -> service.tell(2L, JobContext.SUPPLIED));
        ran(byService, "2 is " + byService + " in attempt 1");

        JobId byReference = jobs.enqueue(post::tell, 3L, JobContext.SUPPLIED);
        ran(byReference, "3 is " + byReference + " in attempt 1");
    }

    @Test
    void the_default_activator_makes_services_and_handlers_by_their_plain_constructors() {
        StorageProvider other = new InMemoryStorageProvider();
        try (Treadle plain = Treadle.on(other)
                .settings(Work.QUICK)
                .handler(Count.class, CountHandler.class)
                .start()) {
            JobId byService = plain.jobs().<Plain>enqueue(service -> service.run("tea"));
            JobId byHandler = plain.jobs().enqueue(new Count(8));

            Work.untilSucceeded(other, List.of(byService, byHandler));
        }
        assertEquals(List.of("count 8", "plain tea"), DONE.stream().sorted().toList());
    }

    @Test
    void all_of_a_stream_are_enqueued_in_every_form_with_ids_in_its_order() {
        List<JobId> all = new ArrayList<>();
        all.addAll(jobs.enqueueAll(Stream.of("a", "b").map(Greet::new)));
        all.addAll(jobs.enqueueAll(Stream.of("c", "d"), post::close));
        all.addAll(jobs.enqueueAll(Stream.of("e", "f"), letter -> post.send(letter, 2)));
        all.addAll(jobs.enqueueAll(Stream.of("g", "h"), (Post service, String letter) -> service.send(letter, 3)));

        Work.untilSucceeded(storage, all);

        assertEquals(8, List.copyOf(all).stream().distinct().count());
        assertEquals(
                List.of(
                        "greet a",
                        "greet b",
                        "the node's closes c",
                        "the node's closes d",
                        "the node's sends e 2",
                        "the node's sends f 2",
                        "the node's sends g 3",
                        "the node's sends h 3"),
                DONE.stream().sorted().toList());
        assertTrue(argumentsOf(all.get(0)).contains("\"a\""), argumentsOf(all.get(0)));
        assertTrue(argumentsOf(all.get(7)).contains("\"h\""), argumentsOf(all.get(7)));
    }

    @Test
    void more_than_a_batch_is_enqueued_whole() {
        int more = StorageProvider.BATCH_MAX + 1;
        List<JobId> all =
                jobs.enqueueAll(Stream.iterate(0, i -> i + 1).limit(more).map(Count::new));

        Work.untilSucceeded(storage, all);

        assertEquals(more, DONE.stream().distinct().count());
    }

    @Test
    void an_id_of_your_own_makes_enqueuing_again_change_nothing() {
        JobId mine = JobId.parse("01890a5d-ac96-774b-bcce-b302099a8057");
        JobScheduler under = jobs.with(JobOptions.DEFAULT.withId(mine));

        assertEquals(mine, under.idOf(new Greet("once")));
        assertEquals(mine, under.enqueue(new Greet("once")));
        Work.untilSucceeded(storage, List.of(mine));
        assertEquals(mine, under.enqueue(new Greet("another")));
        jobs.enqueue(new Greet("last"));
        Await.until("the last one has run", () -> DONE.contains("greet last"));

        assertEquals(List.of("greet once", "greet last"), List.copyOf(DONE));
    }

    @Test
    void ids_under_a_parent_make_enqueuing_all_again_change_nothing() {
        JobId parent = JobId.parse("01890a5d-ac96-774b-bcce-b302099a8057");
        JobScheduler under = jobs.with(JobOptions.DEFAULT.withIdsUnder(parent));
        List<JobId> first = under.enqueueAll(Stream.of("a", "b").map(Greet::new));
        Work.untilSucceeded(storage, first);

        List<JobId> again = under.enqueueAll(Stream.of("a", "b", "c").map(Greet::new));
        Work.untilSucceeded(storage, again);

        assertEquals(first, again.subList(0, 2));
        assertEquals(
                List.of("greet a", "greet b", "greet c"), DONE.stream().sorted().toList());
        assertEquals(first.get(1), under.idOf(new Greet("b")));
    }

    @Test
    void what_cannot_be_is_refused_where_it_is_asked_for() {
        JobId id = JobId.parse("01890a5d-ac96-774b-bcce-b302099a8057");
        JobScheduler one = jobs.with(JobOptions.DEFAULT.withId(id));

        assertThrows(IllegalStateException.class, () -> jobs.idOf(new Greet("fresh")));
        assertThrows(IllegalArgumentException.class, () -> one.enqueueAll(Stream.of(new Greet("a"), new Greet("b"))));
        assertThrows(
                IllegalArgumentException.class,
                () -> JobOptions.DEFAULT.withId(id).withIdsUnder(id));
        assertThrows(
                IllegalArgumentException.class,
                () -> jobs.with(JobOptions.DEFAULT.withPriority(1_001)).enqueue(new Greet("a")));
        assertTrue(storage.queries().find(id).isEmpty());
    }

    private void ran(JobId id, String what) {
        Work.untilSucceeded(storage, List.of(id));
        assertTrue(DONE.remove(what), () -> "did not do '" + what + "' but " + DONE);
        assertEquals(List.of(), List.copyOf(DONE));
    }

    private String argumentsOf(JobId id) {
        return Work.story(storage, id).job().invocation().arguments();
    }
}
