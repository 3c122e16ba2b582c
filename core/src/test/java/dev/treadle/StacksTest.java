package dev.treadle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobScope;
import dev.treadle.job.ThreadStack;
import dev.treadle.server.JobServer;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where the threads of a running job stand, for those who look. */
class StacksTest {
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final Treadle treadle = Treadle.on(new InMemoryStorageProvider())
            .settings(Work.QUICK.withWorkers(8))
            .handler(Plain.class, (plain, job) -> pause())
            .handler(Split.class, this::split)
            .start();
    private final JobServer server = treadle.server().orElseThrow();

    record Plain() implements JobRequest<Void> {}

    record Split(int forks) implements JobRequest<Void> {}

    private Void pause() throws InterruptedException {
        mayEnd.await();
        return null;
    }

    private Void readTemplate() throws InterruptedException {
        return pause();
    }

    private Void split(Split split, JobContext job) throws Exception {
        try (JobScope scope = job.scope()) {
            for (int i = 1; i <= split.forks(); i++) {
                scope.fork("slip-" + i, () -> nested(job));
            }
            pause();
            scope.join();
        }
        return null;
    }

    private Void nested(JobContext job) throws Exception {
        try (JobScope scope = job.scope()) {
            scope.fork("template", this::readTemplate);
            pause();
            scope.join();
        }
        return null;
    }

    @AfterEach
    void close() {
        mayEnd.countDown();
        treadle.close();
    }

    @Test
    void a_job_without_forks_shows_its_own_thread() {
        JobId id = treadle.jobs().enqueue(new Plain());

        Await.until("it waits", () -> shows(id, "job-" + id, "pause"));
        assertEquals(1, server.stacksOf(id).size());
    }

    @Test
    void forks_are_shown_under_their_names_after_the_job_and_inner_ones_after_those_that_forked_them() {
        JobId id = treadle.jobs().enqueue(new Split(2));
        String job = "job-" + id;

        Await.until(
                "all wait",
                () -> shows(id, job, "split")
                        && shows(id, job + "/slip-1", "nested")
                        && shows(id, job + "/slip-1/template", "readTemplate")
                        && shows(id, job + "/slip-2/template", "readTemplate"));

        assertEquals(
                List.of(job, job + "/slip-1", job + "/slip-1/template", job + "/slip-2", job + "/slip-2/template"),
                server.stacksOf(id).stream().map(ThreadStack::name).toList());
    }

    @Test
    void what_does_not_run_has_none() {
        assertEquals(List.of(), server.stacksOf(new JobId(new UUID(7, 7))));
        JobId id = treadle.jobs().enqueue(new Plain());
        Await.until("it waits", () -> shows(id, "job-" + id, "pause"));

        mayEnd.countDown();

        Await.until("it has ended", () -> server.stacksOf(id).isEmpty());
    }

    private boolean shows(JobId id, String thread, String method) {
        return server.stacksOf(id).stream()
                .filter(stack -> stack.name().equals(thread))
                .flatMap(stack -> stack.frames().stream())
                .anyMatch(frame -> frame.getMethodName().equals(method));
    }
}
