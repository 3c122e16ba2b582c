package dev.treadle.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import dev.treadle.Await;
import dev.treadle.Logs;
import dev.treadle.Treadle;
import dev.treadle.executor.JobRunrExecutor;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.StateName;
import dev.treadle.server.JobServer;
import dev.treadle.server.JobServerSettings;
import dev.treadle.server.ServerState;
import dev.treadle.storage.ScriptedStorage;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A server that cannot work stops by itself or does not start, says why, and leaves nothing behind. */
class ServerStopsTest {
    private final StorageProvider memory = new InMemoryStorageProvider();
    private final AtomicInteger leaves = new AtomicInteger();
    private final AtomicInteger stops = new AtomicInteger();
    private final CountDownLatch began = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final AtomicBoolean broken = new AtomicBoolean();
    private String brokenCall = "promote";
    private Error error = new NoClassDefFoundError("com/acme/Missing");

    private final StorageProvider storage = ScriptedStorage.over(memory, (call, arguments, real) -> {
        if (broken.get() && call.equals(brokenCall)) {
            throw error;
        }
        if (call.equals("leave")) {
            leaves.incrementAndGet();
        }
        return real.make();
    });

    /** A job that waits until it may end, or is interrupted. */
    record Wait() implements JobRequest<Void> {}

    /** A thread per task, and a count of stops. */
    private final class Counting implements JobRunrExecutor {
        @Override
        public Integer getPriority() {
            return 0;
        }

        @Override
        public void start() {}

        @Override
        public void stop() {
            stops.incrementAndGet();
        }

        @Override
        public void execute(Runnable task) {
            new Thread(task).start();
        }
    }

    private Treadle start() {
        return Treadle.on(storage)
                .executor(new Counting())
                .settings(JobServerSettings.DEFAULT.withWorkers(2).withStopPatience(Duration.ofMillis(50)))
                .handler(Wait.class, (wait, job) -> {
                    began.countDown();
                    mayEnd.await();
                })
                .start();
    }

    @Test
    void a_class_that_is_missing_in_a_chore_stops_the_server_aloud_and_gives_back_what_runs() throws Exception {
        try (Logs logs = Logs.of(DefaultJobServer.class);
                Treadle treadle = start()) {
            JobServer server = treadle.server().orElseThrow();
            assertEquals(ServerState.RUNNING, server.state());
            JobId running = treadle.jobs().enqueue(new Wait());
            began.await();

            broken.set(true);

            Await.until("the server has stopped", () -> server.state() == ServerState.STOPPED);
            assertEquals(
                    StateName.ENQUEUED,
                    memory.queries().states(List.of(running)).get(running));
            assertEquals(1, leaves.get());
            List<String> said = logs.from(Level.ERROR);
            assertEquals(1, said.size(), said::toString);
            assertTrue(said.get(0).contains("com/acme/Missing"), said.get(0));
            assertTrue(said.get(0).contains("mvn dependency:tree"), said.get(0));
            Await.until(
                    "that is said",
                    () -> logs.from(Level.INFO).stream().anyMatch(one -> one.endsWith(" has stopped.")));
        }
        assertEquals(1, stops.get(), "the executor is stopped once");
    }

    @Test
    void a_class_that_is_missing_when_endings_are_written_stops_it_as_well() throws Exception {
        brokenCall = "record";
        try (Treadle treadle = start()) {
            treadle.jobs().enqueue(new Wait());
            began.await();
            broken.set(true);
            mayEnd.countDown();

            Await.until(
                    "the server has stopped",
                    () -> treadle.server().orElseThrow().state() == ServerState.STOPPED);
        }
        assertEquals(0, leaves.get(), "what it holds is for others to rescue");
    }

    @Test
    void memory_that_ran_out_while_a_class_was_initialized_is_a_passing_fault() {
        error = new ExceptionInInitializerError(new OutOfMemoryError("there is none for a moment"));
        assertFalse(LinkageFailures.isLasting(error));
        assertFalse(LinkageFailures.isLasting(new OutOfMemoryError()));
        assertFalse(LinkageFailures.isLasting(new IllegalStateException(new NoClassDefFoundError())));
        assertTrue(LinkageFailures.isLasting(new ExceptionInInitializerError(new IllegalStateException())));
        assertTrue(LinkageFailures.isLasting(new NoSuchMethodError("x")));
    }

    @Test
    void a_class_that_the_jvm_refuses_since_its_initialization_failed_stops_the_server_aloud() {
        error = new NoClassDefFoundError("Could not initialize class dev.treadle.Any");
        error.initCause(new ExceptionInInitializerError("Exception java.lang.OutOfMemoryError: Java heap space"));
        try (Logs logs = Logs.of(DefaultJobServer.class);
                Treadle treadle = start()) {
            broken.set(true);

            Await.until(
                    "the server has stopped",
                    () -> treadle.server().orElseThrow().state() == ServerState.STOPPED);
            List<String> said = logs.from(Level.ERROR);
            assertEquals(1, said.size(), said::toString);
            assertTrue(said.get(0).endsWith("start the process anew."), said.get(0));
        }
    }

    @Test
    void what_is_to_be_initialized_before_jobs_run_is_listed_and_is() throws Exception {
        List<String> listed = new ArrayList<>();
        for (URL list : Collections.list(getClass().getClassLoader().getResources("META-INF/treadle/initializers"))) {
            listed.addAll(Files.readAllLines(Path.of(list.toURI())));
        }
        assertTrue(listed.contains("dev.treadle.job.StateName"), listed::toString);
        assertFalse(listed.contains("dev.treadle.payload.Mapper$Shared"), "it takes a tenth of a second");

        // the list of the tests names a class that nothing else does
        start().close();
        assertTrue(isInitialized(ToBeInitialized.class));
    }

    @Test
    void what_libraries_need_late_is_initialized_soon_after_the_start() {
        Treadle treadle = start();
        try {
            Await.until("the class is initialized", () -> isInitialized(ToBeInitializedLater.class));
        } finally {
            treadle.close();
        }
    }

    private static boolean isInitialized(Class<?> type) {
        return System.getProperties().containsKey(type.getName());
    }

    /** Nothing but the list names it. */
    static final class ToBeInitialized {
        static {
            System.setProperty(ToBeInitialized.class.getName(), "yes");
        }
    }

    /** Nothing but the list for libraries names it. */
    static final class ToBeInitializedLater {
        static {
            System.setProperty(ToBeInitializedLater.class.getName(), "yes");
        }
    }

    @Test
    void a_start_that_fails_late_stops_all_that_it_had_started() {
        brokenCall = "description";
        broken.set(true);
        error = new OutOfMemoryError("unable to create native thread, as if");
        Set<Thread> before = loops();

        assertThrows(OutOfMemoryError.class, this::start);

        assertEquals(Set.of(), minus(loops(), before));
        assertEquals(List.of(1, 1), List.of(stops.get(), leaves.get()));
    }

    @Test
    void a_start_on_a_class_path_on_which_a_class_is_missing_fails_with_cause_and_cure() {
        brokenCall = "recurring";
        broken.set(true);

        IllegalStateException failed = assertThrows(IllegalStateException.class, this::start);

        assertTrue(failed.getMessage().startsWith("Treadle cannot start, because a class"), failed.getMessage());
        assertTrue(failed.getMessage().contains("com/acme/Missing"), failed.getMessage());
        assertTrue(failed.getMessage().contains("mvn dependency:tree"), failed.getMessage());
    }

    @Test
    void a_second_close_returns_when_the_first_one_has_done_its_work() throws Exception {
        Treadle treadle = start();
        JobServer server = treadle.server().orElseThrow();
        treadle.jobs().enqueue(new Wait());
        began.await();
        Thread first = new Thread(server::close);
        first.start();
        Await.until("the first is under way", () -> server.state() != ServerState.RUNNING);

        server.close();

        assertEquals(ServerState.STOPPED, server.state());
        first.join();
        treadle.close();
    }

    private static Set<Thread> loops() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("treadle-"))
                .collect(Collectors.toSet());
    }

    private static Set<Thread> minus(Set<Thread> all, Set<Thread> less) {
        return all.stream().filter(thread -> !less.contains(thread)).collect(Collectors.toSet());
    }
}
