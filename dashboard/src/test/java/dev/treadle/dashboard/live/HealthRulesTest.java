package dev.treadle.dashboard.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.dashboard.live.Verdict.Level;
import dev.treadle.job.NodeId;
import dev.treadle.job.StateName;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.admin.JobSearch.NodeSeen;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What queues at rest do to the verdict. */
class HealthRulesTest {
    private static final NodeSeen NODE = new NodeSeen(
            new NodeInfo(new NodeId(7), "office", "pool", 8), Instant.EPOCH, Duration.ofSeconds(1), null, 0);

    @Test
    void a_queue_that_was_just_paused_is_shown_and_all_is_well() {
        HealthRules.Facts facts = facts(Duration.ofHours(2), null, paused(Duration.ofMinutes(20), null));
        assertEquals(
                "Healthy. 0 jobs run on 1 server; what waits is in queues that are paused.",
                HealthRules.verdict(facts).sentence());
        assertEquals(
                List.of("queue-paused"),
                HealthRules.problems(facts).stream()
                        .map(HealthRules.Problem::rule)
                        .toList());
    }

    @Test
    void a_queue_that_was_forgotten_is_a_problem_unless_it_goes_on_by_itself() {
        Verdict forgotten = HealthRules.verdict(facts(null, null, paused(Duration.ofHours(2), null)));
        assertEquals(Level.DEGRADED, forgotten.level());
        assertTrue(forgotten.sentence().startsWith("The queue mail has been paused for 2 h by ada"));
        assertEquals(
                Level.HEALTHY,
                HealthRules.verdict(facts(null, null, paused(Duration.ofHours(2), Duration.ofHours(1))))
                        .level());
    }

    @Test
    void what_waits_in_a_queue_at_rest_is_no_backlog_and_what_waits_elsewhere_is() {
        OperatorOverrides.Paused mail = paused(Duration.ofMinutes(20), null);
        assertFalse(HealthRules.problems(facts(Duration.ofHours(2), Duration.ofSeconds(3), mail)).stream()
                .anyMatch(problem -> problem.rule().equals("falling-behind")));
        assertTrue(HealthRules.problems(facts(Duration.ofHours(2), Duration.ofMinutes(3), mail)).stream()
                .anyMatch(problem -> problem.rule().equals("falling-behind")
                        && problem.sentence().endsWith("the oldest for 3 min.")));
    }

    private static OperatorOverrides.Paused paused(Duration howLong, @Nullable Duration goesOnIn) {
        return new OperatorOverrides.Paused("mail", 2, "ada", null, howLong, goesOnIn);
    }

    private static HealthRules.Facts facts(
            @Nullable Duration oldest, @Nullable Duration oldestElsewhere, OperatorOverrides.Paused paused) {
        return new HealthRules.Facts(
                null,
                0,
                Map.of(StateName.ENQUEUED, 2L),
                oldest,
                List.of(NODE),
                null,
                List.of(),
                null,
                new OperatorOverrides.Standing(List.of(paused), oldestElsewhere, List.of(), 1));
    }
}
