package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.GateId;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.JoinRule;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.admin.JobPage;
import dev.treadle.storage.admin.JobQuery;
import dev.treadle.storage.admin.JobSearch;
import dev.treadle.storage.admin.JobSearch.EventSeen;
import dev.treadle.storage.admin.JobSearch.GateSeen;
import dev.treadle.storage.admin.Operators;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What every storage must answer when people look at gates. Extend it, hand over an empty storage, and it runs. */
public abstract class GateSearchContract extends GateWords {
    /** For subclasses. */
    protected GateSearchContract() {}

    @Test
    final void the_gates_of_jobs_are_told_one_job_after_the_other_those_first_at_which_it_waits() {
        Lease parent = claimed();
        Lease other = claimed();
        spawn(parent, "a", 2);
        spawn(parent, "b", 3);
        spawn(parent, "c", 1);
        spawn(other, "z", 1);
        assertWritten(Endings.completed(take(NODE, child(parent, "b", 0))));
        assertWritten(Endings.failed(take(NODE, child(parent, "b", 1))));
        suspend(parent, "b", JoinRule.ALL_END);

        List<GateSeen> seen = seen(parent);

        assertEquals(List.of("b", "a", "c"), names(seen));
        GateSeen awaited = seen.get(0);
        assertEquals(JoinRule.ALL_END, awaited.rule());
        assertTrue(awaited.isAwaited());
        assertNull(awaited.event());
        assertEquals(3, awaited.gate().need());
        // before anybody has looked at what happened there
        assertEquals(2, awaited.gate().ended());
        assertEquals(1, awaited.gate().failed());
        assertFalse(seen.get(1).isAwaited());
        open();
        assertEquals(seen, seen(parent));

        List<JobId> both = List.of(other.job().id(), parent.job().id());
        List<String> inOrder = other.job().id().compareTo(parent.job().id()) < 0
                ? List.of("z", "b", "a", "c")
                : List.of("b", "a", "c", "z");
        assertEquals(inOrder, names(storage.search().gates(both, 0, FULL)));
        assertEquals(inOrder.subList(1, 3), names(storage.search().gates(both, 1, 2)));
        assertEquals(List.of(), storage.search().gates(List.of(jobs.nextId()), 0, FULL));
        assertEquals(List.of(), storage.search().gates(List.of(), 0, FULL));
    }

    @Test
    final void an_event_is_told_with_its_type_until_when_it_is_awaited_and_whether_it_has_come() {
        Lease waiter = claimed();
        gates().awaitEvent(RunId.of(waiter), "ok", "com.acme.Decision", HOUR);

        EventSeen awaited = event(waiter);
        assertTrue(awaited.awaited());
        assertFalse(awaited.here());
        assertFalse(awaited.over());
        assertEquals("com.acme.Decision", awaited.type());
        // as the code of a later release calls it; its end stays where it was
        gates().awaitEvent(RunId.of(waiter), "ok", "com.acme.Answer", Duration.ofDays(3));
        assertEquals("com.acme.Answer", event(waiter).type());
        assertEquals(awaited.until(), event(waiter).until());

        assertWritten(Endings.suspended(waiter));
        gates().signal(waiter.job().id(), "ok", "1", null);
        assertTrue(event(waiter).here());
        assertTrue(event(waiter).awaited());
        open();
        assertFalse(event(waiter).awaited());
    }

    @Test
    final void an_event_that_has_not_come_in_time_is_told_as_over() {
        Lease waiter = claimed();
        gates().awaitEvent(RunId.of(waiter), "ok", "com.acme.Decision", Duration.ZERO);

        assertTrue(event(waiter).over());
        assertFalse(event(waiter).awaited());
        assertFalse(event(waiter).here());
    }

    @Test
    final void a_signal_by_hand_has_its_audit_row_and_one_that_is_refused_has_none() {
        Lease waiter = claimed();
        gates().awaitEvent(RunId.of(waiter), "ok", "com.acme.Decision", HOUR);
        JobId id = waiter.job().id();
        OperatorAct act = new OperatorAct("SIGNAL", ANNA, "the event ok of job " + id);

        assertEquals(WriteResult.WRITTEN, gates().signal(id, "ok", "1", act));
        assertEquals(new WriteResult.Stale(StateName.PROCESSING), gates().signal(id, "ok", "2", act));
        assertEquals(WriteResult.MISSING, gates().signal(jobs.nextId(), "ok", "1", act));

        List<Operators.Done> audit = storage.operators().audit(null, 10);
        assertEquals(1, audit.size());
        assertEquals("SIGNAL", audit.get(0).action());
        assertEquals("the event ok of job " + id, audit.get(0).target());
        assertEquals("anna", audit.get(0).by());
        assertEquals(1, audit.get(0).jobs());
    }

    @Test
    final void what_a_gate_counts_is_listed_in_the_order_of_spawning_page_by_page() {
        Lease parent = claimed();
        spawn(parent, "child", 10);
        spawn(parent, "other", 3);
        JobId gone = child(parent, "child", 4);
        delete(gone);
        List<JobId> expected = LongStream.range(0, 10)
                .mapToObj(i -> child(parent, "child", i))
                .filter(id -> !id.equals(gone))
                .toList();

        for (int size : new int[] {1, 3, 10, JobSearch.PAGE_MAX}) {
            assertEquals(expected, all(of(parent, "child"), size), "pages of " + size);
        }
        assertEquals(List.of(), all(JobQuery.ALL.withGate(GateId.of(jobs.nextId(), "child")), 5));
        assertEquals(List.of(), all(of(parent, "no such name"), 5));
    }

    @Test
    final void a_gate_goes_together_with_everything_else_that_jobs_are_looked_for_by() {
        Lease parent = claimed();
        GateId gate = GateId.of(parent.job().id(), "child");
        List<NewJob> plain = children(parent, "child", 0, 6);
        List<NewJob> children = new ArrayList<>(plain);
        JobTraits named = JobTraits.DEFAULT
                .withName("100 % of \"it\"")
                .withLabels("vip", "x")
                .withQueue("mail")
                .withHeader("gate", "\"gate\":\"" + gate + "\"");
        children.set(2, with(plain.get(2), named.withGate(gate)));
        written(gates().spawn(RunId.of(parent), "child", 0, children, true));
        // one that has the same words and no gate
        NewJob stranger = jobs.anEnqueuedJob();
        NewJob outside = with(stranger, named);
        storage.insert(List.of(outside), null);
        JobId marked = child(parent, "child", 2);

        assertEquals(List.of(marked), all(of(parent, "child").withLabel("vip"), 2));
        assertEquals(List.of(marked), all(of(parent, "child").withLabel("vip").withLabel("x"), 2));
        assertEquals(List.of(marked), all(of(parent, "child").withQueue("mail"), 2));
        assertEquals(List.of(marked), all(of(parent, "child").withType("100 % OF"), 2));
        assertEquals(
                5,
                all(of(parent, "child").withQueue(JobTraits.QUEUE_DEFAULT), 2).size());
        assertEquals(List.of(), all(of(parent, "child").withLabel("nobody"), 2));
        assertEquals(
                6, all(of(parent, "child").withState(StateName.ENQUEUED), 2).size());
        assertEquals(List.of(marked), all(of(parent, "child").withQueue("mail").withState(StateName.ENQUEUED), 2));
    }

    @Test
    final void a_gate_goes_together_with_every_state() {
        Lease parent = claimed();
        Lease stranger = claimed();
        spawn(parent, "child", 6);
        assertWritten(Endings.failed(stranger));
        assertWritten(Endings.completed(take(NODE, child(parent, "child", 0))));
        assertWritten(Endings.failed(take(NODE, child(parent, "child", 3))));
        assertWritten(Endings.failed(take(NODE, child(parent, "child", 1))));
        Lease waits = take(NODE, child(parent, "child", 2));
        spawn(waits, "deeper", 1);
        suspend(waits, "deeper", JoinRule.ALL_END);
        take(NODE, child(parent, "child", 4));
        // it is claimed with others until the one is there that was asked for
        Set<JobId> left = new HashSet<>(taken.keySet());

        assertEquals(List.of(child(parent, "child", 0)), in(parent, StateName.SUCCEEDED));
        assertEquals(List.of(child(parent, "child", 2)), in(parent, StateName.WAITING));
        assertEquals(
                Set.of(child(parent, "child", 1), child(parent, "child", 3)), Set.copyOf(in(parent, StateName.FAILED)));
        assertEquals(
                left.contains(child(parent, "child", 5)) ? 2 : 1,
                in(parent, StateName.PROCESSING).size());
        assertEquals(List.of(), in(parent, StateName.CANCELLED));
        assertEquals(
                2,
                all(of(parent, "child").withState(StateName.FAILED).withError("BOOM"), 1)
                        .size());
        assertEquals(
                2, all(of(parent, "child").withCause(Endings.BOOM.cause()), 1).size());
        assertEquals(
                List.of(), all(of(parent, "child").withState(StateName.FAILED).withError("no such"), 1));
    }

    @Test
    final void of_a_gate_that_counts_very_many_those_of_each_state_are_found() {
        Lease parent = claimed();
        Lease stranger = claimed();
        int many = JobSearch.GATE_WALK_MAX + 1;
        spawn(parent, "child", many);
        assertWritten(Endings.failed(stranger));
        JobId last = child(parent, "child", many - 1);
        JobId cancelled = child(parent, "child", 7);
        storage.cancel(last, ANNA);
        storage.cancel(cancelled, ANNA);
        // one that only talks of the gate
        NewJob talks = with(
                jobs.anEnqueuedJob(),
                JobTraits.DEFAULT.withHeader(
                        "gate", GateId.of(parent.job().id(), "child").toString()));
        storage.insert(List.of(talks), null);
        storage.cancel(talks.id(), ANNA);

        Comparator<JobId> order = Comparator.naturalOrder();
        assertEquals(
                List.of(last, cancelled).stream().sorted(order).toList(),
                in(parent, StateName.CANCELLED).stream().sorted(order).toList());
        assertEquals(List.of(), in(parent, StateName.FAILED));
        assertEquals(many, all(of(parent, "child"), JobSearch.PAGE_MAX).size());
        assertEquals(
                many - 2, in(parent, StateName.ENQUEUED).stream().distinct().count());
    }

    private EventSeen event(Lease waiter) {
        return Objects.requireNonNull(seen(waiter).get(0).event());
    }

    private static List<String> names(List<GateSeen> seen) {
        return seen.stream().map(gate -> gate.gate().name()).toList();
    }

    private static NewJob with(NewJob job, JobTraits traits) {
        return new NewJob(job.id(), job.invocation(), job.due(), traits);
    }

    private static JobQuery of(Lease parent, String name) {
        return JobQuery.ALL.withGate(GateId.of(parent.job().id(), name));
    }

    private List<JobId> in(Lease parent, StateName state) {
        return all(of(parent, "child").withState(state), JobSearch.PAGE_MAX);
    }

    /** The jobs of all pages. */
    private List<JobId> all(JobQuery filter, int size) {
        List<JobId> found = new ArrayList<>();
        @Nullable String next = null;
        do {
            JobPage page = storage.search().list(filter, next, size);
            assertTrue(page.lines().size() <= size);
            page.lines().forEach(line -> found.add(line.job().id()));
            next = page.next();
        } while (next != null);
        return found;
    }
}
