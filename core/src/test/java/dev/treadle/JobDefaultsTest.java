package dev.treadle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.JobOptions;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobDefaults;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobRequestHandler;
import dev.treadle.job.JobTraits;
import dev.treadle.job.JobType;
import dev.treadle.job.NotCapturableException;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.Uses;
import dev.treadle.schedule.Schedule;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a class or a method says of its jobs, and what counts before it. */
class JobDefaultsTest {
    @JobDefaults(
            name = "Mail to {to}",
            queue = "mail",
            priority = 5,
            attempts = 3,
            timeout = "PT30S",
            labels = {"a", "b"},
            tags = "eu")
    record Mail(String to) implements JobRequest<Void> {}

    @JobDefaults(queue = "slips", priority = 7, labels = "slip")
    @Uses("db")
    static class Slips {
        @JobDefaults(name = "Slip {0}", priority = 1)
        @Uses(value = "pdf", amount = 2)
        void generate(long id) {}

        void print(long id) {}
    }

    @JobDefaults(attempts = -1)
    record Bad() implements JobRequest<Void> {}

    record Plain() implements JobRequest<Void> {}

    @JobDefaults(queue = "mail")
    static final class Annotated implements JobRequestHandler<Plain> {
        @Override
        public void run(Plain request, JobContext context) {}
    }

    @JobType("plain")
    static final class Named implements JobRequestHandler<Plain> {
        @Override
        public void run(Plain request, JobContext context) {}
    }

    private final InMemoryStorageProvider storage = new InMemoryStorageProvider();
    private final Treadle treadle = Treadle.on(storage).enqueueOnly();
    private final Slips slips = new Slips();

    @AfterEach
    void close() {
        treadle.close();
    }

    private JobTraits traits(JobId id) {
        return Work.story(storage, id).job().traits();
    }

    private JobTraits mail(JobOptions options) {
        return traits(treadle.jobs().with(options).enqueue(new Mail("ann")));
    }

    @Test
    void a_request_type_says_what_its_jobs_are_like() {
        JobTraits traits = mail(JobOptions.DEFAULT);

        assertEquals("Mail to ann", traits.name());
        assertEquals("mail", traits.queue());
        assertEquals(5, traits.priority());
        assertEquals(RetryPolicy.DEFAULT.withAttempts(3), traits.retries());
        assertEquals(Duration.ofSeconds(30), traits.timeout());
        assertEquals(Set.of("a", "b"), traits.labels());
        assertEquals(Set.of("eu"), traits.tags());
    }

    @Test
    void options_count_first_even_where_they_set_the_default() {
        JobTraits traits = mail(JobOptions.DEFAULT
                .withQueue(JobTraits.QUEUE_DEFAULT)
                .withPriority(0)
                .withName("to {to}")
                .withLabels()
                .withTraits(JobOptions.DEFAULT.traits()));
        assertEquals("mail", traits.queue());

        traits = mail(JobOptions.DEFAULT
                .withQueue(JobTraits.QUEUE_DEFAULT)
                .withPriority(0)
                .withName("to {to}")
                .withLabels());
        assertEquals(JobTraits.QUEUE_DEFAULT, traits.queue());
        assertEquals(0, traits.priority());
        assertEquals("to ann", traits.name());
        assertEquals(Set.of(), traits.labels());
        assertEquals(Duration.ofSeconds(30), traits.timeout());
    }

    @Test
    void a_method_counts_before_its_class() {
        JobTraits generate = traits(treadle.jobs().enqueue(() -> slips.generate(42)));

        assertEquals("Slip 42", generate.name());
        assertEquals(1, generate.priority());
        assertEquals("slips", generate.queue());
        assertEquals(Set.of("slip"), generate.labels());
        assertEquals(Map.of("db", 1, "pdf", 2), generate.uses());
        JobTraits print = traits(treadle.jobs().enqueue(() -> slips.print(42)));
        assertNull(print.name());
        assertEquals(7, print.priority());
        assertEquals(Map.of("db", 1), print.uses());
    }

    @Test
    void recurring_jobs_have_them_too() {
        treadle.jobs().recurring("mails", Schedule.every(Duration.ofDays(1)), new Mail("bob"));

        JobTraits traits =
                treadle.jobs().recurring().find("mails").orElseThrow().plan().traits();
        assertEquals("mail", traits.queue());
        assertEquals("Mail to bob", traits.name());
        JobOptions plain = JobOptions.DEFAULT.withQueue(JobTraits.QUEUE_DEFAULT).withPriority(0);
        treadle.jobs().with(plain).recurring("mails", Schedule.every(Duration.ofDays(1)), new Mail("bob"));
        JobTraits triggered = traits(treadle.jobs().recurring().trigger("mails").orElseThrow());
        assertEquals(
                treadle.jobs().recurring().find("mails").orElseThrow().plan().traits(), triggered);
        assertEquals(JobTraits.QUEUE_DEFAULT, triggered.queue());
    }

    @Test
    void what_cannot_be_used_is_refused_with_its_place() {
        String message = assertThrows(
                        NotCapturableException.class, () -> treadle.jobs().enqueue(new Bad()))
                .getMessage();
        assertTrue(message.contains("@JobDefaults of " + Bad.class.getName()), message);
        assertTrue(message.contains("attempts"), message);
    }

    @Test
    void annotations_of_a_handler_are_refused_since_who_enqueues_would_not_see_them() {
        for (Class<? extends JobRequestHandler<Plain>> handler : Set.of(Annotated.class, Named.class)) {
            String message = assertThrows(
                            IllegalArgumentException.class,
                            () -> Treadle.on(storage).handler(Plain.class, handler))
                    .getMessage();
            assertTrue(message.contains("Put it on the request, " + Plain.class.getName()), message);
        }
    }
}
