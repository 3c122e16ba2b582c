package dev.treadle.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.discovery.Candidate.Verdict;
import dev.treadle.executor.ExecutorSettings;
import dev.treadle.executor.JobRunrExecutor;
import dev.treadle.executor.PublishedPoolExecutor;
import dev.treadle.executor.PublishedThreadPerTaskExecutor;
import dev.treadle.executor.ScheduledThreadPoolJobRunrExecutor;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecutorDiscoveryTest {
    private static final String POOL_OF_FOUR = PublishedPoolExecutor.class.getName();
    private static final String PER_TASK = PublishedThreadPerTaskExecutor.class.getName();

    @TempDir
    private Path folder;

    @Test
    void without_any_registration_the_pool_is_the_fallback() {
        ChosenExecutor chosen = new ExecutorDiscovery().byPriority();

        assertInstanceOf(ScheduledThreadPoolJobRunrExecutor.class, chosen.executor());
        assertEquals(
                "Executor: chosen pool (dev.treadle.executor.ScheduledThreadPoolJobRunrExecutor): "
                        + "the fallback, since no usable executor is registered",
                chosen.summary());
    }

    @Test
    void any_registered_executor_comes_before_the_pool() {
        ChosenExecutor chosen = Registry.of(folder, PER_TASK).byPriority();

        assertInstanceOf(PublishedThreadPerTaskExecutor.class, chosen.executor());
        assertEquals(
                "Executor: chosen PublishedThreadPerTaskExecutor (" + PER_TASK + "): highest priority, 5; "
                        + "found pool (dev.treadle.executor.ScheduledThreadPoolJobRunrExecutor): the fallback",
                chosen.toString());
    }

    @Test
    void the_highest_priority_wins_in_whatever_order_they_are_registered() {
        for (String[] order : new String[][] {{PER_TASK, POOL_OF_FOUR}, {POOL_OF_FOUR, PER_TASK}}) {
            ChosenExecutor chosen = Registry.of(folder, order).byPriority();

            assertInstanceOf(PublishedPoolExecutor.class, chosen.executor());
            assertTrue(chosen.summary().contains("found PublishedThreadPerTaskExecutor"), chosen.summary());
        }
    }

    @Test
    void an_executor_written_to_the_published_interface_is_found_and_runs_a_task() throws Exception {
        for (String published : new String[] {POOL_OF_FOUR, PER_TASK}) {
            JobRunrExecutor executor =
                    Registry.of(folder, published).byPriority().executor();
            CountDownLatch ran = new CountDownLatch(1);
            executor.start(new ExecutorSettings(executor.defaultWorkers(2)));
            executor.execute(ran::countDown);
            executor.stop();

            assertEquals(16, executor.defaultWorkers(2));
            assertEquals(published, "dev.treadle.executor." + executor.executorName());
            assertTrue(ran.await(30, TimeUnit.SECONDS), published);
        }
    }

    @Test
    void two_equal_top_priorities_are_an_error_that_says_what_to_do() {
        ExecutorDiscovery discovery = Registry.of(folder, POOL_OF_FOUR, TwinExecutor.class.getName(), PER_TASK);

        String message =
                assertThrows(IllegalStateException.class, discovery::byPriority).getMessage();

        assertEquals(
                "Several executors are registered with the highest priority 10, so none of them can win: "
                        + "PublishedPoolExecutor (dev.treadle.executor.PublishedPoolExecutor), "
                        + "twin (dev.treadle.discovery.ExecutorDiscoveryTest$TwinExecutor). "
                        + "Choose one by name (executor=PublishedPoolExecutor), pass an instance, "
                        + "or take the others off the class path.",
                message);
        assertInstanceOf(TwinExecutor.class, discovery.byName("twin").executor());
    }

    @Test
    void two_equal_priorities_below_the_top_are_nobodys_concern() {
        ExecutorDiscovery discovery = Registry.of(folder, POOL_OF_FOUR, PER_TASK, SlowTwinExecutor.class.getName());

        assertInstanceOf(PublishedPoolExecutor.class, discovery.byPriority().executor());
    }

    @Test
    void a_name_beats_the_priority_and_a_class_name_will_do() {
        ExecutorDiscovery discovery = Registry.of(folder, POOL_OF_FOUR, PER_TASK);

        ChosenExecutor chosen = discovery.byName("PublishedThreadPerTaskExecutor");

        assertInstanceOf(PublishedThreadPerTaskExecutor.class, chosen.executor());
        assertTrue(chosen.summary().contains("): by name; found PublishedPoolExecutor ("), chosen.summary());
        assertInstanceOf(
                PublishedThreadPerTaskExecutor.class, discovery.byName(PER_TASK).executor());
    }

    @Test
    void the_name_pool_always_means_the_default() {
        ChosenExecutor chosen =
                Registry.of(folder, POOL_OF_FOUR, NamedPool.class.getName()).byName("pool");

        assertInstanceOf(ScheduledThreadPoolJobRunrExecutor.class, chosen.executor());
        assertTrue(chosen.summary().contains("found PublishedPoolExecutor"), chosen.summary());
    }

    @Test
    void an_unknown_name_is_answered_with_the_names_there_are() {
        ExecutorDiscovery discovery = Registry.of(folder, POOL_OF_FOUR);

        String message = assertThrows(IllegalArgumentException.class, () -> discovery.byName("virtual"))
                .getMessage();

        assertEquals(
                "No executor is named 'virtual'. Found: pool, PublishedPoolExecutor. Choose one of the names found, "
                        + "add the jar that holds 'virtual', or pass an instance.",
                message);
    }

    @Test
    void a_name_that_two_share_is_not_guessed() {
        ExecutorDiscovery discovery =
                Registry.of(folder, TwinExecutor.class.getName(), SlowTwinExecutor.class.getName());

        String message = assertThrows(IllegalArgumentException.class, () -> discovery.byName("twin"))
                .getMessage();

        assertTrue(message.startsWith("Several executors are named 'twin': "), message);
        assertTrue(message.endsWith("Choose one by its class name, or pass an instance."), message);
    }

    @Test
    void an_instance_is_taken_as_it_is() {
        JobRunrExecutor mine = new PublishedThreadPerTaskExecutor();

        ChosenExecutor chosen = ExecutorDiscovery.given(mine);

        assertSame(mine, chosen.executor());
        assertEquals(1, chosen.candidates().size());
        assertEquals(Verdict.CHOSEN, chosen.candidates().get(0).verdict());
        assertTrue(chosen.summary().endsWith("passed as an instance"), chosen.summary());
    }

    public static class TwinExecutor extends PublishedPoolExecutor {
        @Override
        public String executorName() {
            return "twin";
        }
    }

    public static class SlowTwinExecutor extends PublishedThreadPerTaskExecutor {
        @Override
        public String executorName() {
            return "twin";
        }
    }

    public static class NamedPool extends PublishedThreadPerTaskExecutor {
        @Override
        public String executorName() {
            return "pool";
        }
    }
}
