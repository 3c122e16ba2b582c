package dev.treadle.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.JobScheduler;
import dev.treadle.api.TreadleSetupException;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobDefaults;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobRequestHandler;
import dev.treadle.job.ResultHandler;
import dev.treadle.job.StateName;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

/** Jobs run on beans: handlers are found by the type they handle, and lambdas are called on beans. */
class HandlerBeansTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    record Mail(String to) implements JobRequest<Void> {}

    record Reminder(String to) implements JobRequest<Void> {}

    record Add(int a, int b) implements JobRequest<Integer> {}

    record Audit(String what) implements JobRequest<Void> {}

    /** What the beans did. */
    static final class Done {
        final Set<String> all = ConcurrentHashMap.newKeySet();

        void await(String what) {
            Awaitility.await().atMost(SOON).until(() -> all.contains(what));
        }
    }

    /** A handler that enqueues, and so needs the scheduler that needs all handlers. */
    static class Mailer implements JobRequestHandler<Mail> {
        private final JobScheduler jobs;
        private final Done done;

        Mailer(JobScheduler jobs, Done done) {
            this.jobs = jobs;
            this.done = done;
        }

        @Override
        public void run(Mail mail, JobContext job) {
            done.all.add("mail to " + mail.to());
            jobs.enqueue(new Reminder(mail.to()));
        }
    }

    /** Its request is only known where it is declared. */
    static class Auditor<T extends JobRequest<Void>> implements JobRequestHandler<T> {
        private final Done done;

        Auditor(Done done) {
            this.done = done;
        }

        @Override
        public void run(T request, JobContext job) {
            done.all.add("audit of " + request);
        }
    }

    /** What a lambda calls. */
    public static class Slips {
        private final Done done;

        Slips(Done done) {
            this.done = done;
        }

        public void generate(long id) {
            done.all.add("slip " + id);
        }
    }

    /** No bean. */
    public static class Stranger {
        public void call() {}
    }

    @Configuration(proxyBeanMethods = false)
    @Import({TreadleConfiguration.class, Mailer.class, Slips.class, Done.class})
    static class App {
        @Bean
        StorageProvider storage() {
            return new InMemoryStorageProvider();
        }

        @Bean
        @Lazy
        JobRequestHandler<Reminder> reminders(Done done) {
            return (reminder, job) -> done.all.add("reminder to " + reminder.to());
        }

        @Bean
        ResultHandler<Add, Integer> adder() {
            return (add, job) -> add.a() + add.b();
        }

        @Bean
        Auditor<Audit> auditor(Done done) {
            return new Auditor<>(done);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SecondMailer {
        @Bean
        JobRequestHandler<Mail> second() {
            return (mail, job) -> {};
        }
    }

    /** What it declares belongs on the request. */
    @JobDefaults(queue = "mail")
    static class Declaring implements JobRequestHandler<Unsent> {
        @Override
        public void run(Unsent request, JobContext job) {}
    }

    record Unsent() implements JobRequest<Void> {}

    @Configuration(proxyBeanMethods = false)
    static class Untold {
        @Bean
        @SuppressWarnings("rawtypes")
        JobRequestHandler untold() {
            return (mail, job) -> {};
        }
    }

    @Test
    void each_request_is_run_by_the_bean_of_its_type() throws Exception {
        try (var context = new AnnotationConfigApplicationContext(App.class)) {
            JobScheduler jobs = context.getBean(JobScheduler.class);
            Done done = context.getBean(Done.class);

            jobs.enqueue(new Mail("ann"));
            jobs.enqueue(new Audit("books"));
            JobId sum = jobs.enqueue(new Add(1, 2));

            done.await("mail to ann");
            done.await("reminder to ann");
            done.await("audit of Audit[what=books]");
            assertEquals(Optional.of(3), jobs.await(sum, Integer.class, SOON));
        }
    }

    @Test
    void lambdas_are_called_on_beans_and_without_a_bean_the_job_is_parked() {
        try (var context = new AnnotationConfigApplicationContext(App.class)) {
            JobScheduler jobs = context.getBean(JobScheduler.class);
            Slips slips = context.getBean(Slips.class);
            Stranger stranger = new Stranger();

            jobs.enqueue(() -> slips.generate(42));
            JobId lost = jobs.enqueue(() -> stranger.call());

            context.getBean(Done.class).await("slip 42");
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> jobs.states(Set.of(lost)).get(lost) == StateName.PARKED);
            assertTrue(jobs.find(lost).orElseThrow().toString().contains("No qualifying bean"));
        }
    }

    @Test
    void two_beans_for_one_type_are_refused() {
        TreadleSetupException refused = refused(SecondMailer.class);

        assertEquals(
                "Two beans handle jobs of " + Mail.class.getName() + ": 'second' and '" + Mailer.class.getName() + "'.",
                refused.problem());
        assertTrue(refused.getMessage().endsWith(refused.remedy()));
    }

    @Test
    void a_bean_that_does_not_say_what_it_handles_is_refused() {
        TreadleSetupException refused = refused(Untold.class);

        assertEquals(
                "The bean 'untold' is a JobRequestHandler, and nothing says which requests it handles.",
                refused.problem());
    }

    @Test
    void what_a_handler_declares_of_jobs_is_refused() {
        assertEquals(
                "Put it on the request, " + Unsent.class.getName() + ".",
                refused(Declaring.class).remedy());
    }

    private static TreadleSetupException refused(Class<?> more) {
        Throwable thrown = assertThrows(
                RuntimeException.class, () -> new AnnotationConfigApplicationContext(more, App.class).close());
        while (!(thrown instanceof TreadleSetupException) && thrown.getCause() != null) {
            thrown = thrown.getCause();
        }
        return (TreadleSetupException) thrown;
    }
}
