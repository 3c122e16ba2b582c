package dev.treadle.health.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.health.HealthProblem;
import dev.treadle.health.HealthProblem.Rule;
import dev.treadle.health.Verdict;
import dev.treadle.health.Verdict.Level;
import dev.treadle.health.rules.HealthFacts.Recent;
import dev.treadle.health.rules.HealthFacts.Self;
import dev.treadle.health.rules.OperatorOverrides.Standing;
import dev.treadle.job.JobId;
import dev.treadle.job.NodeId;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.StopRequest;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.admin.FailureGroup;
import dev.treadle.storage.admin.JobSearch.NodeSeen;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each rule, at its threshold and below; {@code HealthTest} brings most of them about. */
class HealthRulesTest {
    private static final NodeSeen NODE = node("office", Duration.ofSeconds(1));
    private static final Self FINE = new Self(false, 50, 100);

    private Map<StateName, Long> counts = Map.of(StateName.ENQUEUED, 2L);
    private @Nullable Duration oldest = Duration.ofSeconds(3);
    private @Nullable List<NodeSeen> nodes = List.of(NODE);
    private Recent recent = new Recent(0, 0, List.of());
    private Standing overrides = Standing.NONE;
    private Self self = FINE;

    @Test
    void jobs_that_run_and_wait_a_little_are_healthy() {
        counts = Map.of(StateName.ENQUEUED, 2L, StateName.PROCESSING, 1_200L);
        assertEquals("HEALTHY Healthy. 1,200 jobs run on 1 server; the oldest waiting one has waited 3.0 s.", said());
    }

    @Test
    void nothing_to_do_is_idle() {
        counts = Map.of();
        oldest = null;
        assertEquals("IDLE Idle. No job is due and none is scheduled.", said());
        counts = Map.of(StateName.SCHEDULED, 1L);
        assertEquals("IDLE Idle. No job is due; 1 is scheduled.", said());
    }

    @Test
    void jobs_at_gates_are_not_due_and_are_named() {
        counts = Map.of(StateName.WAITING, 1L);
        oldest = null;
        assertEquals("IDLE Idle. No job is due; 1 waits for other jobs or for an event.", said());
        counts = Map.of(StateName.WAITING, 1_200L, StateName.SCHEDULED, 2L);
        assertEquals(
                "IDLE Idle. No job is due; 2 are scheduled, and 1,200 wait for other jobs or for an event.", said());
    }

    @Test
    void a_storage_that_is_away_hides_everything_else() {
        HealthFacts facts = HealthFacts.unanswered(
                HealthFacts.Outage.of(new IllegalStateException("db.internal"), Duration.ofSeconds(90)));
        Verdict verdict = HealthRules.verdict(facts);
        assertEquals(
                "The database has not answered for 1 min 30 s. No job can start. It said: IllegalStateException.",
                verdict.sentence());
        assertEquals(Level.DOWN, verdict.level());
        assertEquals(List.of(Rule.STORAGE_DOWN), rules(verdict));
    }

    @Test
    void jobs_without_a_server_are_down_and_no_jobs_without_a_server_are_not() {
        nodes = List.of(node("silent", Duration.ofSeconds(31)));
        assertEquals("DOWN Nothing is processing jobs: 2 wait, and no server has been heard for 30 s.", said());
        counts = Map.of();
        oldest = null;
        assertEquals("IDLE Idle. No job is due and none is scheduled.", said());
    }

    @Test
    void a_wait_of_more_than_half_a_minute_is_falling_behind() {
        oldest = Duration.ofSeconds(30);
        assertEquals(Level.HEALTHY, verdict().level());
        oldest = Duration.ofSeconds(31);
        assertEquals("DEGRADED Falling behind: 2 jobs wait, the oldest for 31 s.", said());
    }

    @Test
    void one_failure_in_twenty_is_failing_if_there_are_ten() {
        recent = new Recent(191, 10, List.of());
        assertEquals(Level.HEALTHY, verdict().level(), "less than 5 %");
        recent = new Recent(0, 9, List.of());
        assertEquals(Level.HEALTHY, verdict().level(), "too few");
        recent = new Recent(
                30, 10, List.of(failures(3, "java.lang.Error at a.B.c"), failures(7, "a.Smtp$Timeout at a.Mail.send")));
        assertEquals("DEGRADED 25 % of the jobs of the last 5 minutes failed (10), mostly of Smtp.Timeout.", said());
    }

    @Test
    void a_silent_server_is_a_problem_beside_one_that_is_heard() {
        nodes = List.of(NODE, node("lost\u202E", Duration.ofSeconds(31)));
        assertEquals("DEGRADED lost has been silent for 31 s.", said());
        nodes = List.of(NODE, node("slow", Duration.ofSeconds(30)));
        assertEquals(Level.HEALTHY, verdict().level());
    }

    @Test
    void parked_jobs_are_a_problem() {
        counts = Map.of(StateName.PARKED, 1L);
        assertEquals("DEGRADED 1 job is parked: no server here knows how to run it.", said());
    }

    @Test
    void a_run_that_does_not_end_is_a_problem_after_five_seconds() {
        JobId job = JobId.parse("01a1fba9-7474-7000-894b-2d8c99dfb12a");
        overrides = new Standing(List.of(), null, List.of(stop(job, Duration.ofSeconds(5))), 1);
        assertEquals(Level.HEALTHY, verdict().level());
        overrides = new Standing(List.of(), null, List.of(stop(job, Duration.ofSeconds(6))), 1);
        assertEquals("DEGRADED 1 job still runs although it was cancelled or taken over, for 6.0 s on office.", said());
        assertEquals(job, verdict().problems().get(0).job());
    }

    @Test
    void a_full_heap_and_a_stopped_server_of_this_process_are_problems() {
        self = new Self(false, 95, 100);
        assertEquals(Level.HEALTHY, verdict().level());
        self = new Self(false, 96, 100);
        assertEquals("DEGRADED The heap of this server is 96 % full.", said());
        self = new Self(false, 96, -1);
        assertEquals(Level.HEALTHY, verdict().level(), "it has no limit");
        self = new Self(true, 50, 100);
        assertEquals("DEGRADED The server of this process has stopped, so this process runs no jobs.", said());
    }

    @Test
    void the_worst_comes_first() {
        counts = Map.of(StateName.ENQUEUED, 2L, StateName.PARKED, 3L);
        oldest = Duration.ofMinutes(5);
        recent = new Recent(0, 20, List.of());
        self = new Self(true, 99, 100);
        nodes = List.of();
        overrides = new Standing(List.of(paused(Duration.ofMinutes(2), null)), Duration.ofMinutes(5), List.of(), 2);
        assertEquals(
                List.of(
                        Rule.NO_SERVER,
                        Rule.SERVER_STOPPED,
                        Rule.FAILING,
                        Rule.PARKED,
                        Rule.HEAP_FULL,
                        Rule.QUEUE_PAUSED),
                rules(verdict()));
    }

    @Test
    void a_storage_that_does_not_tell_of_servers_is_judged_by_the_rest() {
        nodes = null;
        oldest = null;
        assertEquals("HEALTHY Healthy. 0 jobs run; none waits.", said());
        oldest = Duration.ofSeconds(31);
        assertEquals(List.of(Rule.FALLING_BEHIND), rules(verdict()));
    }

    @Test
    void a_queue_that_was_just_paused_is_shown_and_all_is_well() {
        oldest = Duration.ofHours(2);
        overrides = new Standing(List.of(paused(Duration.ofMinutes(20), null)), null, List.of(), 1);
        assertEquals("HEALTHY Healthy. 0 jobs run on 1 server; what waits is in queues that are paused.", said());
        assertEquals(List.of(Rule.QUEUE_PAUSED), rules(verdict()));
    }

    @Test
    void a_queue_that_was_forgotten_is_a_problem_unless_it_goes_on_by_itself() {
        overrides = new Standing(List.of(paused(Duration.ofHours(2), null)), null, List.of(), 1);
        assertEquals(Level.DEGRADED, verdict().level());
        assertTrue(verdict().sentence().startsWith("The queue mail has been paused for 2 h by ada"));
        overrides = new Standing(List.of(paused(Duration.ofHours(2), Duration.ofHours(1))), null, List.of(), 1);
        assertEquals(Level.HEALTHY, verdict().level());
    }

    @Test
    void what_waits_in_a_paused_queue_is_no_backlog_and_what_waits_elsewhere_is() {
        oldest = Duration.ofHours(2);
        OperatorOverrides.Paused mail = paused(Duration.ofMinutes(20), null);
        overrides = new Standing(List.of(mail), Duration.ofSeconds(3), List.of(), 1);
        assertFalse(rules(verdict()).contains(Rule.FALLING_BEHIND));
        overrides = new Standing(List.of(mail), Duration.ofMinutes(3), List.of(), 1);
        assertTrue(verdict().sentence().endsWith("the oldest for 3 min."), said());
    }

    @Test
    void each_rule_has_an_id_of_its_own() {
        Set<String> ids = EnumSet.allOf(Rule.class).stream().map(Rule::id).collect(Collectors.toSet());
        assertEquals(Rule.values().length, ids.size());
        assertTrue(ids.stream().allMatch(id -> id.matches("[a-z]+(-[a-z]+)*")), ids::toString);
    }

    private Verdict verdict() {
        return HealthRules.verdict(new HealthFacts(null, counts, oldest, nodes, recent, overrides, self));
    }

    private String said() {
        return verdict().level() + " " + verdict().sentence();
    }

    private static List<Rule> rules(Verdict verdict) {
        return verdict.problems().stream().map(HealthProblem::rule).toList();
    }

    private static NodeSeen node(String name, Duration beatAgo) {
        return new NodeSeen(new NodeInfo(new NodeId(7), name, "pool", 8), Instant.EPOCH, beatAgo, null, 0);
    }

    private static FailureGroup failures(int jobs, String cause) {
        JobId latest = JobId.parse("01a1fba9-7474-7000-894b-2d8c99dfb12a");
        return new FailureGroup(cause, jobs, Instant.EPOCH, Instant.EPOCH, latest, "a.B", "it broke");
    }

    private static StopRequest stop(JobId job, Duration since) {
        return new StopRequest(new RunId(job, 1), new NodeId(7), Instant.EPOCH, since);
    }

    private static OperatorOverrides.Paused paused(Duration howLong, @Nullable Duration goesOnIn) {
        return new OperatorOverrides.Paused("mail", 2, "ada", null, howLong, goesOnIn);
    }
}
