package dev.treadle.example.quarkus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.api.JobScheduler;
import dev.treadle.api.RecurringJobs;
import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.storage.admin.JobQuery;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Jobs in Quarkus, as its test framework starts it: beans found at build, JTA by Narayana, a DataSource of Agroal. */
@QuarkusTest
class ShopTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @Inject
    Orders orders;

    @Inject
    Shop shop;

    @Inject
    JobScheduler jobs;

    @Inject
    RecurringJobs recurring;

    @Inject
    Treadle treadle;

    @Test
    void an_order_and_its_jobs_are_committed_together() throws Exception {
        List<JobId> following = orders.place("kept", 2);

        for (JobId job : following) {
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> jobs.states(List.of(job)).get(job) == StateName.SUCCEEDED);
        }
        assertEquals(1, shop.count("order", "kept"));
        assertEquals(1, shop.count("receipt 1 of this run", "kept"));
        assertEquals(2, shop.count("packed", "kept"));
        assertEquals(2, jobsOf("kept"));
        JobId counted = jobs.enqueue(new CountPieces("kept"));
        assertEquals(Optional.of(2), jobs.await(counted, Integer.class, SOON));
    }

    @Test
    void an_order_that_is_rolled_back_leaves_no_job() {
        assertThrows(IllegalArgumentException.class, () -> orders.place("undone", 0));

        assertEquals(0, shop.count("order", "undone"));
        assertEquals(0, jobsOf("undone"));
    }

    private int jobsOf(String order) {
        return ((AdminStorage) treadle.storage())
                .search()
                .list(JobQuery.ALL.withArguments(order), null, 100)
                .lines()
                .size();
    }

    @Test
    void each_run_has_a_request_context_of_its_own() {
        orders.place("first", 1);
        orders.place("second", 1);

        Awaitility.await()
                .atMost(SOON)
                .until(() -> shop.count("receipt 1 of this run", "first") == 1
                        && shop.count("receipt 1 of this run", "second") == 1);
    }

    @Test
    void a_recurring_method_runs_on_a_bean_that_nothing_injects() {
        assertTrue(recurring.find("inventory").isPresent());
        Awaitility.await().atMost(SOON).until(() -> shop.count("inventory", "all") >= 2);
    }
}
