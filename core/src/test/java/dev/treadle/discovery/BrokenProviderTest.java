package dev.treadle.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.discovery.Candidate.Verdict;
import dev.treadle.executor.PublishedPoolExecutor;
import dev.treadle.executor.ScheduledThreadPoolJobRunrExecutor;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A broken provider is one provider less, and the reason is told. */
class BrokenProviderTest {
    private static final String WORKING = PublishedPoolExecutor.class.getName();
    private static final int HERE = Runtime.version().feature();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            WithoutLicence         | could not be instantiated: java.lang.IllegalStateException: no licence found
            WithoutPriority        | java.lang.IllegalArgumentException: getPriority() returned null: return a number
            WithPriorityThatThrows | java.lang.NoClassDefFoundError: org/example/Missing
            WithoutName            | java.lang.IllegalArgumentException: executorName() returned no name: return a short one
            WithoutStaticInit      | could not be instantiated: java.lang.ExceptionInInitializerError
            NotThere               | not found
            """)
    void what_is_broken_is_skipped_and_the_next_one_is_chosen(String broken, String why) {
        String className = BrokenExecutors.class.getName() + "$" + broken;

        ChosenExecutor chosen = Registry.of(folder, className, WORKING).byPriority();

        assertInstanceOf(PublishedPoolExecutor.class, chosen.executor());
        assertEquals(List.of("skipped " + className + ": " + why), skipped(chosen));
    }

    @Test
    void a_class_that_is_no_executor_is_skipped() {
        ChosenExecutor chosen =
                Registry.of(folder, "dev.treadle.discovery.Candidate", WORKING).byPriority();

        assertEquals(List.of("skipped dev.treadle.discovery.Candidate: not a subtype"), skipped(chosen));
    }

    @Test
    void a_line_that_is_no_class_name_is_skipped_and_says_where_it_stands() {
        ChosenExecutor chosen = Registry.of(folder, "two words").byPriority();

        String only = skipped(chosen).get(0);
        assertTrue(only.startsWith("skipped a registration: "), only);
        assertTrue(only.contains("META-INF/services/dev.treadle.executor.JobRunrExecutor:1"), only);
    }

    @Test
    void a_provider_for_a_newer_java_is_skipped_with_the_java_it_needs() {
        ChosenExecutor chosen = new Registry(folder)
                .with(Registry.TOO_NEW, WORKING)
                .withClassFor(HERE + 4)
                .discovery()
                .byPriority();

        assertInstanceOf(PublishedPoolExecutor.class, chosen.executor());
        assertEquals(
                List.of("skipped " + Registry.TOO_NEW + ": needs Java " + (HERE + 4) + ", this is Java " + HERE),
                skipped(chosen));
    }

    @Test
    void with_nothing_but_broken_ones_the_pool_does_the_work() {
        ChosenExecutor chosen = new Registry(folder)
                .with(Registry.TOO_NEW, BrokenExecutors.class.getName() + "$WithoutLicence")
                .withClassFor(HERE + 1)
                .discovery()
                .byPriority();

        assertInstanceOf(ScheduledThreadPoolJobRunrExecutor.class, chosen.executor());
        assertEquals(2, skipped(chosen).size());
    }

    @Test
    void a_name_that_a_skipped_one_may_have_is_answered_with_why_it_was_skipped() {
        ExecutorDiscovery discovery = new Registry(folder)
                .with(Registry.TOO_NEW)
                .withClassFor(HERE + 1)
                .discovery();

        String message = assertThrows(IllegalArgumentException.class, () -> discovery.byName("virtual"))
                .getMessage();

        assertTrue(message.contains("Found: pool. Registered but not usable here, and perhaps the one you mean: "));
        assertTrue(message.contains(
                "skipped " + Registry.TOO_NEW + ": needs Java " + (HERE + 1) + ", this is Java " + HERE + "."));
    }

    @Test
    void what_fails_without_end_ends_and_is_told_once() {
        ClassLoader broken = new ClassLoader(getClass().getClassLoader()) {
            @Override
            public java.util.Enumeration<java.net.URL> getResources(String name) throws java.io.IOException {
                throw new java.io.IOException("disk gone");
            }
        };

        ChosenExecutor chosen = new ExecutorDiscovery(broken).byPriority();

        assertInstanceOf(ScheduledThreadPoolJobRunrExecutor.class, chosen.executor());
        assertEquals(2, skipped(chosen).size(), chosen.summary());
        assertTrue(chosen.summary().contains("disk gone"), chosen.summary());
        assertTrue(chosen.summary().contains("beyond " + ExecutorDiscovery.PROVIDERS_MAX), chosen.summary());
    }

    @Test
    void the_hundredth_provider_still_counts_and_the_next_does_not() {
        String[] registered =
                Collections.nCopies(ExecutorDiscovery.PROVIDERS_MAX + 1, "").toArray(String[]::new);
        for (int i = 0; i < ExecutorDiscovery.PROVIDERS_MAX; i++) {
            registered[i] = "org.example.Missing" + i;
        }
        registered[ExecutorDiscovery.PROVIDERS_MAX] = WORKING;

        assertInstanceOf(
                ScheduledThreadPoolJobRunrExecutor.class,
                Registry.of(folder, registered).byPriority().executor());

        registered[ExecutorDiscovery.PROVIDERS_MAX - 1] = WORKING;
        ChosenExecutor chosen = Registry.of(folder, registered).byPriority();
        assertInstanceOf(PublishedPoolExecutor.class, chosen.executor());
        assertTrue(chosen.summary().contains("Missing98: not found"), chosen.summary());
    }

    private static List<String> skipped(ChosenExecutor chosen) {
        return chosen.candidates().stream()
                .filter(one -> one.verdict() == Verdict.SKIPPED)
                .map(Candidate::toString)
                .toList();
    }
}
