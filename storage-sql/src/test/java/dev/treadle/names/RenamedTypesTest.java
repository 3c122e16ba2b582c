package dev.treadle.names;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.Treadle;
import dev.treadle.api.JobOptions;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.HistoryEntry;
import dev.treadle.job.JobDefaults;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobStory;
import dev.treadle.job.JobTraits;
import dev.treadle.job.JobType;
import dev.treadle.job.JobTypes;
import dev.treadle.job.StateName;
import dev.treadle.job.Unique;
import dev.treadle.schedule.Schedule;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import dev.treadle.storage.sql.Dialect;
import dev.treadle.storage.sql.EmptyDatabases;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A release renames classes and methods and changes their arguments, while jobs of the release before are stored. */
@ParameterizedClass
@EnumSource(RenamedTypesTest.Kind.class)
@Timeout(240)
class RenamedTypesTest {
    private static final String HERE = "dev.treadle.names.RenamedTypesTest$";
    private static final Set<String> DONE = new ConcurrentSkipListSet<>();
    private static final JobServerSettings QUICK = JobServerSettings.DEFAULT
            .withWorkers(2)
            .withPollMax(Duration.ofMillis(100))
            .withDeadAfter(Duration.ofSeconds(6));

    enum Kind {
        MEMORY,
        H2,
        POSTGRESQL,
        MARIADB
    }

    // ---- the release before

    record OldMail(String to) implements JobRequest<Void> {}

    @JobDefaults(queue = "mail", priority = 3)
    record Reminder() implements JobRequest<Void> {}

    static final class OldSlips {
        void make(int id) {}

        void print(String text) {}
    }

    // ---- the release that renames

    @JobType(value = "mail.send", formerly = HERE + "OldMail")
    record Letter(String recipient, String subject) implements JobRequest<Void> {}

    @JobType(value = "slips", formerly = HERE + "OldSlips")
    static final class Slips {
        @JobType(value = "generate", formerly = "make(int)")
        void generate(long id, String format) {
            DONE.add("slip " + id + " as " + format);
        }

        void print(String text) {
            DONE.add("print " + text);
        }
    }

    private final Kind kind;
    private final @Nullable HikariDataSource database;
    private final StorageProvider memory = new InMemoryStorageProvider();
    private final List<AutoCloseable> open = new ArrayList<>();

    RenamedTypesTest(Kind kind) {
        this.kind = kind;
        this.database = kind == Kind.MEMORY ? null : EmptyDatabases.of(Dialect.valueOf(kind.name()));
    }

    @BeforeEach
    void forget() {
        DONE.clear();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
        if (database != null) {
            database.close();
        }
    }

    private StorageProvider storage() {
        return database == null ? memory : SqlStorageProvider.using(database);
    }

    private Treadle.Builder oldRelease() {
        return Treadle.on(storage())
                .settings(QUICK)
                .handler(OldMail.class, (mail, job) -> DONE.add("old mail to " + mail.to()));
    }

    private Treadle.Builder newRelease() {
        return Treadle.on(storage())
                .settings(QUICK)
                .handler(
                        Letter.class,
                        (letter, job) -> DONE.add("letter to " + letter.recipient() + " about " + letter.subject()))
                .types(JobTypes.of(Slips.class)
                        .withUpcast(Letter.class, HERE + "OldMail", json -> {
                            json.put("recipient", json.remove("to"));
                            json.put("subject", "nothing");
                            return json;
                        })
                        .withCallUpcast(Slips.class, "make(int)", arguments -> {
                            arguments.add("pdf");
                            return arguments;
                        }));
    }

    private Treadle opened(Treadle treadle) {
        open.add(0, treadle);
        return treadle;
    }

    private static JobStory story(JobScheduler jobs, JobId id) {
        return jobs.find(id).orElseThrow();
    }

    private static void awaitState(JobScheduler jobs, JobId id, StateName state) {
        Awaitility.await(state.name())
                .atMost(Duration.ofSeconds(60))
                .until(() -> story(jobs, id).job().state().name() == state);
    }

    @Test
    void jobs_of_the_release_before_run_under_the_new_names() {
        JobScheduler old = opened(oldRelease().enqueueOnly()).jobs();
        OldSlips slips = new OldSlips();
        List<JobId> ids = new ArrayList<>();
        ids.add(old.enqueue(new OldMail("a")));
        ids.add(old.enqueue(() -> slips.make(7)));
        ids.add(old.enqueue(() -> slips.print("x")));
        ids.add(old.schedule(Duration.ofMillis(1), new OldMail("later")));
        old.recurring("mails", Schedule.every(Duration.ofDays(3_000)), new OldMail("again"));

        Treadle now = opened(newRelease().start());
        ids.add(now.jobs().recurring().trigger("mails").orElseThrow());

        for (JobId id : ids) {
            awaitState(now.jobs(), id, StateName.SUCCEEDED);
            JobStory story = story(now.jobs(), id);
            assertEquals(1, story.job().attempt());
            assertTrue(story.history().stream().noneMatch(e -> e.event() == HistoryEntry.Event.NOT_RUNNABLE));
        }
        assertEquals(
                Set.of(
                        "letter to a about nothing",
                        "letter to later about nothing",
                        "letter to again about nothing",
                        "slip 7 as pdf",
                        "print x"),
                DONE);
    }

    @Test
    void an_old_node_parks_what_it_does_not_know_and_a_new_one_beside_it_runs_that() {
        Treadle old = opened(oldRelease().start());
        JobScheduler young = opened(newRelease().enqueueOnly()).jobs();
        Slips slips = new Slips();
        JobId request = young.enqueue(new Letter("b", "rent"));
        JobId call = young.enqueue(() -> slips.generate(8, "txt"));
        for (JobId id : List.of(request, call)) {
            awaitState(young, id, StateName.PARKED);
            assertEquals(0, story(young, id).job().attempt());
        }
        assertEquals("mail.send", story(young, request).job().invocation().type());
        assertEquals("slips#generate", story(young, call).job().invocation().target());

        Treadle now = opened(newRelease().start());
        JobId ofOld = old.jobs().enqueue(new OldMail("c"));
        for (JobId id : List.of(request, call, ofOld)) {
            awaitState(now.jobs(), id, StateName.SUCCEEDED);
            assertEquals(1, story(now.jobs(), id).job().attempt());
        }
        assertTrue(DONE.containsAll(Set.of("letter to b about rent", "slip 8 as txt")), DONE::toString);
        assertTrue(DONE.contains("old mail to c") || DONE.contains("letter to c about nothing"), DONE::toString);
    }

    @Test
    void one_unique_job_and_one_derived_id_over_the_rename() {
        JobScheduler old = opened(oldRelease().enqueueOnly()).jobs();
        JobScheduler young = opened(newRelease().enqueueOnly()).jobs();
        JobOptions once = JobOptions.DEFAULT.withUnique(Unique.byArguments());

        JobId first = old.with(once).enqueue(new OldMail("a"));

        assertEquals(first, young.with(once).enqueue(new Letter("a", "other")));
        OldSlips slips = new OldSlips();
        Slips renamed = new Slips();
        JobOptions under = JobOptions.DEFAULT.withIdsUnder(JobId.of(new java.util.UUID(1, 2)));
        JobId derived = old.with(under).enqueue(() -> slips.print("x"));
        assertEquals(derived, young.with(under).enqueue(() -> renamed.print("x")));
        assertNotEquals(derived, young.with(under).enqueue(() -> renamed.print("y")));
    }

    @Test
    void a_triggered_job_is_like_those_of_its_slots_whatever_its_code_declares() {
        JobScheduler jobs = opened(oldRelease().enqueueOnly()).jobs();
        jobs.enqueue(new Reminder());
        jobs.with(JobOptions.DEFAULT.withQueue(JobTraits.QUEUE_DEFAULT).withPriority(0))
                .recurring("reminders", Schedule.every(Duration.ofDays(3_000)), new Reminder());

        JobTraits triggered = story(jobs, jobs.recurring().trigger("reminders").orElseThrow())
                .job()
                .traits();

        assertEquals(jobs.recurring().find("reminders").orElseThrow().plan().traits(), triggered);
        assertEquals(JobTraits.QUEUE_DEFAULT, triggered.queue());
    }

    @Test
    void an_upcast_that_fails_parks_the_job_and_says_so() {
        JobId id = opened(oldRelease().enqueueOnly()).jobs().enqueue(new OldMail("a"));
        Treadle broken = opened(Treadle.on(storage())
                .settings(QUICK)
                .handler(Letter.class, (letter, job) -> DONE.add("letter"))
                .types(JobTypes.NONE.withUpcast(Letter.class, HERE + "OldMail", json -> {
                    throw new IllegalStateException("no idea");
                }))
                .start());

        awaitState(broken.jobs(), id, StateName.PARKED);
        String why = story(broken.jobs(), id).history().stream()
                .flatMap(entry -> Stream.ofNullable(entry.why()))
                .map(failure -> failure.message())
                .reduce("", String::concat);
        assertTrue(why.contains("The upcast of what was stored as '" + HERE + "OldMail' failed"), why);
        assertTrue(why.contains("no idea"), why);
        assertEquals(0, story(broken.jobs(), id).job().attempt());
        assertEquals(Set.of(), DONE);
    }
}
