package dev.treadle.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.JobOptions;
import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.JobId;
import dev.treadle.job.JobStory;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.StateName;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A job that ends the JVM that runs it. */
class PoisonTest extends Faults {
    private static final int ATTEMPTS = 3;
    private static final int GOOD = 60;

    @Test
    void a_job_that_kills_its_jvm_is_tried_as_often_as_its_policy_says_and_then_failed() throws Exception {
        Duration soon = Duration.ofMillis(50);
        JobOptions threeTimes = JobOptions.DEFAULT.withRetries(
                RetryPolicy.DEFAULT.withAttempts(ATTEMPTS).withDelays(soon, soon));
        enqueuer.jobs().enqueueAll(IntStream.range(0, GOOD / 2).mapToObj(n -> FaultWork.good(n, 10)));
        JobId poison = enqueuer.jobs().with(threeTimes).enqueue(FaultWork.poison(-1));
        enqueuer.jobs().enqueueAll(IntStream.range(GOOD / 2, GOOD).mapToObj(n -> FaultWork.good(n, 10)));

        for (int life = 1; life <= ATTEMPTS; life++) {
            worker("life" + life).awaitEnd();
        }
        WorkerProcess survivor = worker("survivor");
        untilSucceeded(GOOD);
        until("the poison has failed", () -> story(poison).job().state().name() == StateName.FAILED);

        JobStory story = story(poison);
        report(events.count("START", event -> event.job().equals(poison)) + " starts of the poison, "
                + StartCheck.of(database, events).lost() + " attempts rescued in all");
        assertEquals(ATTEMPTS, events.count("START", event -> event.job().equals(poison)));
        assertEquals(
                List.of(Event.NODE_LOST, Event.NODE_LOST, Event.NODE_LOST),
                story.history().stream().map(entry -> entry.event()).toList());
        assertEquals(GOOD, count("select count(*) from treadle_history where event = 0"), "each succeeded once");
        assertTrue(survivor.isAlive());
        survivor.terminate();
    }

    private JobStory story(JobId id) {
        return enqueuer.jobs().find(id).orElseThrow();
    }
}
