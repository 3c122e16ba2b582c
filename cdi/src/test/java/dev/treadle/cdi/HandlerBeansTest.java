package dev.treadle.cdi;

import static dev.treadle.cdi.Application.SOON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.JobScheduler;
import dev.treadle.cdi.Application.Done;
import dev.treadle.cdi.Application.Memory;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobDefaults;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobRequestHandler;
import dev.treadle.job.ResultHandler;
import dev.treadle.job.StateName;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Jobs run on beans: handlers are found by the type they handle, and lambdas are called on beans. */
class HandlerBeansTest {
    record Mail(String to) implements JobRequest<Void> {}

    record Reminder(String to) implements JobRequest<Void> {}

    record Add(int a, int b) implements JobRequest<Integer> {}

    record Audit(String what) implements JobRequest<Void> {}

    record Unsent() implements JobRequest<Void> {}

    /** A handler that enqueues, and so needs the scheduler that needs all handlers. */
    @ApplicationScoped
    static class Mailer implements JobRequestHandler<Mail> {
        @Inject
        JobScheduler jobs;

        @Inject
        Done done;

        @Override
        public void run(Mail mail, JobContext job) {
            done.all.add("mail to " + mail.to());
            jobs.enqueue(new Reminder(mail.to()));
        }
    }

    /** Its request is only known where it is produced. */
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

    @Singleton
    static class Producers {
        @Produces
        JobRequestHandler<Reminder> reminders(Done done) {
            return (reminder, job) -> done.all.add("reminder to " + reminder.to());
        }

        @Produces
        @Singleton
        ResultHandler<Add, Integer> adder() {
            return (add, job) -> add.a() + add.b();
        }

        @Produces
        Auditor<Audit> auditor(Done done) {
            return new Auditor<>(done);
        }
    }

    /** What a lambda calls. Ends with the run. */
    @Dependent
    public static class Slips {
        @Inject
        Done done;

        @Inject
        Request request;

        public void generate(long id) {
            done.all.add("slip " + id + " in a request: " + request.isOpen());
        }

        @PreDestroy
        void end() {
            done.all.add("slips ended");
        }
    }

    /** Lives as long as one run. */
    @RequestScoped
    public static class Request {
        @Inject
        Done done;

        public boolean isOpen() {
            return true;
        }

        @PreDestroy
        void end() {
            done.all.add("request ended");
        }
    }

    /** No bean. */
    public static class Stranger {
        public void call() {}
    }

    @Singleton
    static class SecondMailer implements JobRequestHandler<Mail> {
        @Override
        public void run(Mail mail, JobContext job) {}
    }

    @Singleton
    @Alternative
    @Priority(1)
    static class OtherMailer implements JobRequestHandler<Mail> {
        @Inject
        Done done;

        @Override
        public void run(Mail mail, JobContext job) {
            done.all.add("other mail to " + mail.to());
        }
    }

    /** What it declares belongs on the request. */
    @Singleton
    @JobDefaults(queue = "mail")
    static class Declaring implements JobRequestHandler<Unsent> {
        @Override
        public void run(Unsent request, JobContext job) {}
    }

    @Singleton
    static class Untold {
        @Produces
        @SuppressWarnings("rawtypes")
        JobRequestHandler untold() {
            return (mail, job) -> {};
        }
    }

    private static SeContainer start() {
        return Application.start(Memory.class, Done.class, Mailer.class, Producers.class, Slips.class, Request.class);
    }

    @Test
    void each_request_is_run_by_the_bean_of_its_type() throws Exception {
        try (SeContainer container = start()) {
            JobScheduler jobs = container.select(JobScheduler.class).get();
            Done done = container.select(Done.class).get();

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
        try (SeContainer container = start()) {
            JobScheduler jobs = container.select(JobScheduler.class).get();
            Slips slips = new Slips();
            Stranger stranger = new Stranger();

            jobs.enqueue(() -> slips.generate(42));
            JobId lost = jobs.enqueue(() -> stranger.call());

            Done done = container.select(Done.class).get();
            done.await("slip 42 in a request: true");
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> jobs.states(Set.of(lost)).get(lost) == StateName.PARKED);
            assertTrue(jobs.find(lost).orElseThrow().toString().contains("The application has no bean of"));
        }
    }

    @Test
    void a_run_ends_its_request_and_the_dependent_bean_that_it_was_called_on() {
        try (SeContainer container = start()) {
            Slips slips = new Slips();

            container.select(JobScheduler.class).get().enqueue(() -> slips.generate(1));

            Done done = container.select(Done.class).get();
            done.await("request ended");
            done.await("slips ended");
        }
    }

    @Test
    void of_alternatives_the_one_with_the_highest_priority_runs_the_jobs() {
        try (SeContainer container =
                Application.start(Memory.class, Done.class, Mailer.class, SecondMailer.class, OtherMailer.class)) {
            container.select(JobScheduler.class).get().enqueue(new Mail("ann"));

            container.select(Done.class).get().await("other mail to ann");
        }
    }

    @Test
    void two_beans_for_one_type_are_refused_at_deployment() {
        assertRefused(
                "Two beans handle jobs of " + Mail.class.getName() + ": " + Mailer.class.getName() + " and "
                        + SecondMailer.class.getName() + ". A request has one handler",
                Mailer.class,
                SecondMailer.class);
    }

    @Test
    void a_bean_that_does_not_say_what_it_handles_is_refused_at_deployment() {
        assertRefused(
                "The bean " + Untold.class.getName()
                        + ".untold() is a JobRequestHandler, and nothing says which requests it handles.",
                Untold.class);
    }

    @Test
    void what_a_handler_declares_of_jobs_is_refused_at_deployment() {
        assertRefused("Put it on the request, " + Unsent.class.getName() + ".", Declaring.class);
    }

    /** Without a storage: it was refused before one was looked for. */
    private static void assertRefused(String expected, Class<?>... beans) {
        Class<?>[] all = Arrays.copyOf(beans, beans.length + 1);
        all[beans.length] = Done.class;
        String said = Application.refused(all);

        assertTrue(said.contains(expected), said);
        assertFalse(said.contains("DataSource"), said);
    }
}
