package dev.treadle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.RecurringJobs;
import dev.treadle.job.JobRequest;
import dev.treadle.schedule.Missed;
import dev.treadle.schedule.Overlap;
import dev.treadle.schedule.RecurringRules;
import dev.treadle.schedule.Schedule;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The examples of docs/recurring.md. */
class RecurringExamplesTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private final CountDownLatch cleaned = new CountDownLatch(3);
    private final Treadle treadle = Treadle.on(new InMemoryStorageProvider())
            .handler(Cleanup.class, (cleanup, job) -> {
                cleaned.countDown();
            })
            .start();

    record Cleanup() implements JobRequest<Void> {}

    @AfterEach
    void close() {
        treadle.close();
    }

    @Test
    void something_runs_again_and_again() throws InterruptedException {
        treadle.jobs().recurring("often", Schedule.every(Duration.ofMillis(100)), new Cleanup());

        assertTrue(cleaned.await(30, TimeUnit.SECONDS), "it has run three times");
    }

    @Test
    void a_cron_expression_follows_the_clocks_of_a_zone() {
        Schedule nightly = Schedule.cron("30 2 * * *", BERLIN);

        treadle.jobs().recurring("nightly", nightly, new Cleanup());

        var upcoming = nightly.preview(Instant.parse("2026-03-28T12:00:00Z"), 1).get(0);
        assertEquals("2026-03-29T03:00+02:00[Europe/Berlin]", upcoming.local().toString());
        assertEquals("clocks leap from 02:00 to 03:00: 02:30 is not there and runs right after", upcoming.note());
    }

    @Test
    void rules_say_what_becomes_of_runs_that_are_late_or_overlap() {
        RecurringRules rules = RecurringRules.DEFAULT
                .withMissed(Missed.all(24))
                .withOverlap(Overlap.QUEUE)
                .withJitter(Duration.ofSeconds(30));

        treadle.jobs().recurring().declare("hourly", Schedule.cron("@hourly"), rules, new Cleanup());

        assertEquals(
                rules,
                treadle.jobs().recurring().find("hourly").orElseThrow().plan().rules());
    }

    @Test
    void people_change_it_while_it_runs_and_the_code_does_not_change_it_back() {
        treadle.jobs().recurring("nightly", Schedule.cron("0 2 * * *", BERLIN), new Cleanup());
        RecurringJobs recurring = treadle.jobs().recurring();

        recurring.pause("nightly", "ann", "migration");
        recurring.resume("nightly", "ann", null);
        recurring.trigger("nightly");
        recurring.reschedule("nightly", Schedule.cron("0 4 * * *", BERLIN), "ann", "later");
        treadle.jobs().recurring("nightly", Schedule.cron("0 2 * * *", BERLIN), new Cleanup());

        assertEquals(
                "cron Europe/Berlin 0 4 * * *",
                recurring.find("nightly").orElseThrow().plan().schedule());
        recurring.delete("nightly", "ann", null);
        treadle.jobs().recurring("nightly", Schedule.cron("0 2 * * *", BERLIN), new Cleanup());
        assertTrue(recurring.find("nightly").isEmpty());
        recurring.restore("nightly", "ann", null);
        assertTrue(recurring.find("nightly").isPresent());
    }
}
