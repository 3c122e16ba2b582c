package dev.treadle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.JobOptions;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.Failure;
import dev.treadle.job.Invocation;
import dev.treadle.job.Job;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobInterceptor;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobTraits;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.Secret;
import dev.treadle.job.StateName;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** Interceptors around enqueue, run and change of state, and what comes of one that throws. */
class InterceptorsTest {
    private final StorageProvider storage = new InMemoryStorageProvider();
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final AtomicReference<@Nullable Map<String, String>> mdc = new AtomicReference<>();
    private @Nullable Treadle treadle;

    record Slip(String employee, int month) implements JobRequest<String> {}

    record Account(@Secret String number, String bank) {}

    record Pay(int month, @Secret String note, Account to) implements JobRequest<String> {}

    /** Called by method reference. */
    public static class Slips {
        public void generate(long employee) {}

        public void send(String to, @Secret String text, Account from) {}
    }

    private class Telling implements JobInterceptor {
        private final String name;

        Telling(String name) {
            this.name = name;
        }

        @Override
        public JobTraits onEnqueue(JobId id, Invocation invocation, JobTraits traits) {
            seen.add(name + " enqueues");
            return traits.withLabels(traits.labels().isEmpty() ? name : name + "+");
        }

        @Override
        public void onEnqueued(List<JobId> ids) {
            seen.add(name + " enqueued " + ids.size());
        }

        @Override
        public @Nullable Object onRun(Job job, JobContext context, Next next) throws Throwable {
            seen.add(name + " before");
            Object result = next.run();
            seen.add(name + " after");
            return result + " " + name;
        }

        @Override
        public void onStateChange(JobId id, StateName to, @Nullable Failure why) {
            seen.add(name + " sees " + to);
        }
    }

    private Treadle start(boolean loggingContext, JobInterceptor... interceptors) {
        Treadle.Builder builder = Treadle.on(storage)
                .settings(Work.QUICK.withRetries(RetryPolicy.NEVER))
                .loggingContext(loggingContext)
                .resultHandler(Slip.class, (slip, job) -> {
                    seen.add("runs");
                    mdc.set(MDC.getCopyOfContextMap());
                    return slip.employee;
                });
        for (JobInterceptor interceptor : interceptors) {
            builder.intercept(interceptor);
        }
        treadle = builder.start();
        return treadle;
    }

    @AfterEach
    void close() {
        if (treadle != null) {
            treadle.close();
        }
    }

    @Test
    void filters_lie_around_each_other_in_their_order() throws Exception {
        Treadle on = start(true, new Telling("one"), new Telling("two"));

        JobId id = on.jobs().enqueue(new Slip("Ada", 3));
        String result =
                on.jobs().await(id, String.class, Duration.ofSeconds(20)).orElseThrow();
        Await.until("the last one has seen it", () -> seen.contains("two sees SUCCEEDED"));

        assertEquals("Ada two one", result);
        assertEquals(Set.of("two+"), Work.story(storage, id).job().traits().labels());
        assertEquals(List.of(id), on.jobs().labelled("two+"));
        List<String> onEnqueue =
                seen.stream().filter(word -> word.contains("enqueue")).toList();
        assertEquals(List.of("one enqueues", "two enqueues", "one enqueued 1", "two enqueued 1"), onEnqueue);
        List<String> onRun =
                seen.stream().filter(word -> !word.contains("enqueue")).toList();
        assertEquals(
                List.of(
                        "one before",
                        "two before",
                        "runs",
                        "two after",
                        "one after",
                        "one sees SUCCEEDED",
                        "two sees SUCCEEDED"),
                onRun);
    }

    @Test
    void a_filter_that_throws_before_a_job_is_kept_refuses_it() {
        Treadle on = start(true, new JobInterceptor() {
            @Override
            public JobTraits onEnqueue(JobId id, Invocation invocation, JobTraits traits) {
                throw new SecurityException("no tenant");
            }
        });
        JobId id = JobId.parse("0-0-0-0-1");

        assertThrows(
                SecurityException.class,
                () -> on.jobs().with(JobOptions.DEFAULT.withId(id)).enqueue(new Slip("Ada", 3)));
        assertTrue(storage.queries().find(id).isEmpty());
    }

    @Test
    void a_filter_that_gives_back_nothing_refuses_the_job_and_says_so() {
        Treadle on = start(true, new JobInterceptor() {
            @Override
            public JobTraits onEnqueue(JobId id, Invocation invocation, JobTraits traits) {
                return null;
            }

            @Override
            public String toString() {
                return "TenantInterceptor";
            }
        });
        JobId id = JobId.parse("0-0-0-0-1");

        String message = assertThrows(
                        IllegalStateException.class,
                        () -> on.jobs().with(JobOptions.DEFAULT.withId(id)).enqueue(new Slip("Ada", 3)))
                .getMessage();

        assertTrue(message.contains("TenantInterceptor") && message.contains("null"), message);
        assertTrue(storage.queries().find(id).isEmpty());
    }

    @Test
    void a_filter_that_throws_a_checked_exception_undeclared_changes_nothing_either() {
        Treadle on = start(
                true,
                new JobInterceptor() {
                    @Override
                    public void onEnqueued(List<JobId> ids) {
                        InterceptorsTest.<RuntimeException>throwUndeclared(new java.io.IOException("enqueued"));
                    }

                    @Override
                    public void onStateChange(JobId id, StateName to, @Nullable Failure why) {
                        InterceptorsTest.<RuntimeException>throwUndeclared(new java.io.IOException("changed"));
                    }
                },
                new Telling("two"));

        JobId id = on.jobs().enqueue(new Slip("Ada", 3));
        Await.until("the other has seen it", () -> seen.contains("two sees SUCCEEDED"));

        assertTrue(seen.contains("two enqueued 1"));
        assertEquals(List.of("COMPLETED 1 SUCCEEDED"), Work.history(storage, id));
    }

    /** As Kotlin does with every exception. */
    @SuppressWarnings("unchecked")
    private static <E extends Exception> void throwUndeclared(Exception e) throws E {
        throw (E) e;
    }

    @Test
    void a_filter_that_throws_around_a_run_fails_the_attempt() {
        Treadle on = start(true, new JobInterceptor() {
            @Override
            public @Nullable Object onRun(Job job, JobContext context, Next next) {
                throw new IllegalStateException("no tenant");
            }
        });

        JobId id = on.jobs().enqueue(new Slip("Ada", 3));
        Work.untilIn(StateName.FAILED, storage, id);

        assertEquals(List.of("THREW 1 FAILED"), Work.history(storage, id));
        assertEquals(List.of(), seen, "its code never ran");
    }

    @Test
    void a_filter_that_throws_after_the_fact_changes_nothing_and_the_others_are_told() {
        Treadle on = start(
                true,
                new JobInterceptor() {
                    @Override
                    public void onEnqueued(List<JobId> ids) {
                        throw new IllegalStateException("enqueued");
                    }

                    @Override
                    public void onStateChange(JobId id, StateName to, @Nullable Failure why) {
                        throw new AssertionError("changed");
                    }
                },
                new Telling("two"));

        JobId id = on.jobs().enqueue(new Slip("Ada", 3));
        Work.untilIn(StateName.SUCCEEDED, storage, id);
        Await.until("the other has seen it", () -> seen.contains("two sees SUCCEEDED"));

        assertTrue(seen.contains("two enqueued 1"));
        assertEquals(List.of("COMPLETED 1 SUCCEEDED"), Work.history(storage, id));
    }

    @Test
    void filters_see_what_people_do() {
        Treadle on = start(true, new Telling("one"));
        JobId id = on.jobs().schedule(Duration.ofHours(1), new Slip("Ada", 3));

        on.jobs().cancel(id, "anna", "why not");
        on.jobs().cancel(id, "anna", "again");
        on.jobs().runAgain(id, "anna", null);
        Work.untilIn(StateName.SUCCEEDED, storage, id);

        assertEquals(
                List.of("one sees CANCELLED", "one sees ENQUEUED"),
                seen.stream()
                        .filter(word -> word.contains("sees") && !word.contains("SUCCEEDED"))
                        .toList());
    }

    @Test
    void a_running_job_is_in_the_logging_context_of_its_thread_unless_that_is_turned_off() throws Exception {
        Treadle on = start(true);
        JobId id = on.jobs().with(JobOptions.DEFAULT.withQueue("default")).enqueue(new Slip("Ada", 3));
        Work.untilIn(StateName.SUCCEEDED, storage, id);
        Map<String, String> fields = mdc.get();
        assertEquals(
                Map.of(
                        "treadle.job",
                        id.toString(),
                        "treadle.type",
                        Slip.class.getName(),
                        "treadle.queue",
                        "default",
                        "treadle.attempt",
                        "1"),
                fields);
        on.close();

        Treadle off = start(false);
        Work.untilIn(StateName.SUCCEEDED, storage, off.jobs().enqueue(new Slip("Bob", 3)));
        Map<String, String> none = mdc.get();
        assertTrue(none == null || none.isEmpty(), () -> "there is " + none);
    }

    @Test
    void headers_of_options_and_interceptors_reach_the_context_the_log_and_the_retry() {
        AtomicReference<Map<String, String>> seenByJob = new AtomicReference<>();
        AtomicReference<Map<String, String>> logged = new AtomicReference<>();
        InMemoryStorageProvider own = new InMemoryStorageProvider();
        try (Treadle treadle = Treadle.on(own)
                .resultHandler(Slip.class, (slip, job) -> {
                    if (job.attempt() == 1) {
                        throw new IllegalStateException("once");
                    }
                    seenByJob.set(job.headers());
                    logged.set(MDC.getCopyOfContextMap());
                    return "done";
                })
                .intercept(new JobInterceptor() {
                    @Override
                    public JobTraits onEnqueue(JobId id, Invocation invocation, JobTraits traits) {
                        return traits.withHeader("trace", "00-af-01");
                    }
                })
                .start()) {
            JobOptions options = JobOptions.DEFAULT
                    .withHeader("tenant", "acme")
                    .withRetries(
                            RetryPolicy.DEFAULT.withAttempts(3).withDelays(Duration.ofMillis(1), Duration.ofMillis(1)));
            JobId id = treadle.jobs().with(options).enqueue(new Slip("Ada", 3));
            Work.untilIn(StateName.SUCCEEDED, own, id);

            assertEquals(Map.of("tenant", "acme", "trace", "00-af-01"), seenByJob.get());
            assertEquals("acme", logged.get().get("treadle.header.tenant"));
        }
        assertNull(MDC.get("treadle.header.tenant"));
    }

    @Test
    void too_many_and_too_long_headers_are_refused_where_they_are_given() {
        JobTraits full = JobTraits.DEFAULT;
        for (int i = 0; i < JobTraits.WORDS_MAX; i++) {
            full = full.withHeader("h" + i, "v");
        }
        JobTraits most = full;
        assertThrows(IllegalArgumentException.class, () -> most.withHeader("one more", "v"));
        assertThrows(IllegalArgumentException.class, () -> JobTraits.DEFAULT.withHeader(" ", "v"));
        assertThrows(
                IllegalArgumentException.class,
                () -> JobTraits.DEFAULT.withHeader("long", "x".repeat(JobTraits.HEADER_LENGTH_MAX + 1)));
    }

    @Test
    void a_name_takes_its_arguments_from_the_job() {
        Treadle on = start(true);
        JobOptions named = JobOptions.DEFAULT.withName("Slip of {employee}, month {month} {other}");
        JobId request = on.jobs().with(named).schedule(Duration.ofHours(1), new Slip("Ada", 3));
        JobId call = on.jobs()
                .with(JobOptions.DEFAULT.withName("Slip of {0} {1}"))
                .<Slips>schedule(Duration.ofHours(1), slips -> slips.generate(42L));
        JobId plain = on.jobs().schedule(Duration.ofHours(1), new Slip("Ada", 3));

        assertEquals("Slip of Ada, month 3 {other}", name(request));
        assertEquals("Slip of 42 {1}", name(call));
        assertNull(name(plain));
    }

    @Test
    void a_name_does_not_show_what_the_code_of_the_job_marks_as_secret() throws Exception {
        Treadle on = start(true);
        Account account = new Account("canary", "bank");
        JobId request = on.jobs()
                .with(JobOptions.DEFAULT.withName("Pay {month} {note} {to}"))
                .schedule(Duration.ofHours(1), new Pay(3, "canary", account));
        JobScheduler named = on.jobs().with(JobOptions.DEFAULT.withName("Send {0} {1} {2}"));
        JobId call = named.<Slips>schedule(Duration.ofHours(1), slips -> slips.send("ada", "canary", account));

        assertEquals("Pay 3 ••• {\"number\":\"•••\",\"bank\":\"bank\"}", name(request));
        assertEquals("Send ada ••• {\"number\":\"•••\",\"bank\":\"bank\"}", name(call));
        AtomicReference<@Nullable JobId> elsewhere = new AtomicReference<>();
        Thread thread = new Thread(() -> elsewhere.set(
                named.<Slips>schedule(Duration.ofHours(1), slips -> slips.send("bob", "canary", account))));
        // a thread that belongs to nobody's code
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        thread.start();
        thread.join();
        assertEquals(
                "Send bob ••• {\"number\":\"•••\",\"bank\":\"bank\"}",
                name(java.util.Objects.requireNonNull(elsewhere.get())));
    }

    @Test
    void a_name_stays_within_its_limit_whatever_its_arguments() {
        Treadle on = start(true);
        String pattern = "{employee}".repeat(JobTraits.NAME_LENGTH_MAX / 10);

        JobId id = on.jobs()
                .with(JobOptions.DEFAULT.withName(pattern))
                .schedule(Duration.ofHours(1), new Slip("\u0000\uD83D\uDE80".repeat(1_000), 3));

        String name = name(id);
        assertTrue(name != null && name.length() <= JobTraits.NAME_LENGTH_MAX && name.indexOf(0) < 0);
    }

    private @Nullable String name(JobId id) {
        return Work.story(storage, id).job().traits().name();
    }
}
