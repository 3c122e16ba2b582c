package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.Failure;
import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.AttemptEnd;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.admin.FailureGroup;
import dev.treadle.storage.admin.JobPage;
import dev.treadle.storage.admin.JobQuery;
import dev.treadle.storage.admin.JobSearch;
import dev.treadle.storage.admin.JobSearch.NodeSeen;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What every storage must answer to a dashboard. Extend it, hand over an empty storage, and it runs. */
public abstract class SearchContract extends StorageContract {
    private static final String TRACE =
            "java.lang.IllegalStateException: boom\n\tat java.base/java.util.Map.of(Map.java:1)\n"
                    + "\tat com.acme.Slips.generate(Slips.java:42)\n\tat com.acme.Main.main(Main.java:1)\n";

    /** For subclasses. */
    protected SearchContract() {}

    @Test
    final void an_empty_storage_has_empty_lists() {
        for (StateName state : StateName.values()) {
            assertEquals(new JobPage(List.of(), null), list(JobQuery.in(state)));
        }
        assertEquals(new JobPage(List.of(), null), list(JobQuery.ALL));
        assertEquals(List.of(), storage.search().failures());
        assertEquals(List.of(), storage.search().nodes(HOUR));
        assertEquals(List.of(), storage.search().recent(HOUR));
        assertNull(storage.search().longestWait());
        assertEquals(
                0, storage.search().counts().values().stream().mapToLong(n -> n).sum());
    }

    @Test
    final void each_state_lists_its_jobs_as_their_stories_tell_them_and_is_counted() {
        Map<StateName, JobId> ids = new HashMap<>();
        for (StateName state : List.of(
                StateName.SCHEDULED,
                StateName.PROCESSING,
                StateName.SUCCEEDED,
                StateName.FAILED,
                StateName.CANCELLED,
                StateName.PARKED,
                StateName.ENQUEUED)) {
            ids.put(state, aJobThatIs(state));
        }
        ids.forEach((state, id) -> {
            assertEquals(List.of(id), idsOf(list(JobQuery.in(state))), state::name);
            Job told = Stories.of(storage, id).job();
            Job listed = list(JobQuery.in(state)).lines().get(0).job();
            // not the state itself: a list leaves out stack traces
            assertEquals(told.state().since(), listed.state().since(), state::name);
            assertEquals(told.attempt(), listed.attempt(), state::name);
            assertEquals(told.invocation(), listed.invocation(), state::name);
            assertEquals(1L, storage.search().counts().get(state), state::name);
        });
        assertEquals(ids.values().stream().sorted(Comparator.reverseOrder()).toList(), idsOf(list(JobQuery.ALL)));
        assertNotNull(storage.search().longestWait());
    }

    @Test
    final void pages_follow_one_another_without_gap_or_repeat() {
        storage.insert(jobs.enqueuedJobs(25));
        assertPages(JobQuery.ALL, 25);
        assertPages(JobQuery.in(StateName.ENQUEUED), 25);
        List<Lease> leases = storage.claim(NODE, 25);
        assertPages(JobQuery.in(StateName.PROCESSING), 25);
        storage.record(leases.subList(0, 12).stream().map(Endings::completed).toList());
        storage.record(leases.subList(12, 25).stream().map(Endings::failed).toList());
        assertPages(JobQuery.in(StateName.SUCCEEDED), 12);
        assertPages(JobQuery.in(StateName.FAILED), 13);
        assertPages(JobQuery.in(StateName.SUCCEEDED).withType("slips"), 12);
        assertPages(JobQuery.in(StateName.FAILED).withError("B"), 13);
        storage.insert(java.util.stream.IntStream.range(0, 9)
                .mapToObj(i -> jobs.aJobDueIn(Jobs.LONG.plusSeconds(i % 3)))
                .toList());
        assertPages(JobQuery.in(StateName.SCHEDULED), 9);
    }

    @Test
    final void waiting_jobs_are_listed_in_the_order_in_which_they_run() {
        JobId late = keep(jobs.withPriority(5));
        JobId first = keep(jobs.withPriority(-5));
        JobId middle = keep(jobs.anEnqueuedJob());

        List<JobId> listed = idsOf(list(JobQuery.in(StateName.ENQUEUED)));

        assertEquals(List.of(first, middle, late), listed);
        assertEquals(listed, idsOf(storage.claim(NODE, 3)));
    }

    @Test
    final void a_job_that_ended_and_runs_again_is_in_the_list_of_its_new_state_alone() {
        JobId id = aJobThatIs(StateName.FAILED);
        storage.runAgain(id, new OperatorNote("bob", null));

        assertEquals(List.of(), idsOf(list(JobQuery.in(StateName.FAILED))));
        assertEquals(List.of(), storage.search().failures());
        assertEquals(List.of(id), idsOf(list(JobQuery.in(StateName.ENQUEUED))));
        assertWritten(Endings.completed(claim(NODE, id)));
        assertEquals(List.of(), idsOf(list(JobQuery.in(StateName.FAILED))));
        assertEquals(List.of(id), idsOf(list(JobQuery.in(StateName.SUCCEEDED))));
    }

    @Test
    final void jobs_are_found_by_parts_of_their_target_and_arguments_in_any_case() {
        JobId mail = keep(jobs.calling("com.acme.Mail", "send(java.lang.String)", "[\"100%_\\\\ A\"]"));
        JobId slip = keep(jobs.calling("com.acme.Slip", null, "{\"id\":7}"));

        assertEquals(List.of(mail), idsOf(list(JobQuery.ALL.withType("MAIL.send"))));
        assertEquals(List.of(slip), idsOf(list(JobQuery.ALL.withType("acme.sl"))));
        assertEquals(List.of(mail), idsOf(list(JobQuery.ALL.withArguments("100%_\\\\ a"))));
        assertEquals(List.of(), idsOf(list(JobQuery.ALL.withArguments("1_0"))));
        assertEquals(List.of(slip), idsOf(list(JobQuery.in(StateName.ENQUEUED).withArguments("\"ID\":7"))));
        assertEquals(List.of(), idsOf(list(JobQuery.ALL.withArguments("' or 1=1 --"))));
        Instant now = Stories.of(storage, slip).job().createdAt();
        assertEquals(List.of(), idsOf(list(JobQuery.ALL.withSince(now.plusSeconds(1)))));
        assertEquals(List.of(), idsOf(list(JobQuery.ALL.withUntil(now.minusSeconds(60)))));
        assertEquals(
                List.of(slip, mail),
                idsOf(list(JobQuery.ALL.withSince(now.minusSeconds(60)).withUntil(now.plusSeconds(1)))));
    }

    @Test
    final void jobs_are_found_by_name_label_and_queue() {
        JobTraits traits = JobTraits.DEFAULT;
        JobId plain = keep(jobs.anEnqueuedJob());
        JobId named = keep(jobs.withTraits(traits.withName("Pay the Bills").withLabels("v%p \"x\"", "b")));
        JobId queued = keep(jobs.withTraits(traits.withQueue("ma_il").withTags("b")));

        assertEquals(List.of(named), idsOf(list(JobQuery.ALL.withType("pay the bills"))));
        assertEquals(List.of(named), idsOf(list(JobQuery.ALL.withLabel("v%p \"x\""))));
        assertEquals(List.of(named), idsOf(list(JobQuery.ALL.withLabel("b"))));
        assertEquals(List.of(queued), idsOf(list(JobQuery.ALL.withQueue("ma_il"))));
        assertEquals(List.of(named, plain), idsOf(list(JobQuery.ALL.withQueue("default"))));
        assertEquals(
                List.of(named), idsOf(list(JobQuery.ALL.withQueue("default").withLabel("b"))));
    }

    @Test
    final void of_several_words_of_a_kind_every_one_must_fit() {
        String end = "x".repeat(JobSearch.ARGUMENT_CHARS_MAX) + "end";
        JobId both = keep(jobs.calling("com.acme.Mail", "send(java.lang.String)", "[\"one two " + end + "\"]"));
        JobId one = keep(jobs.calling("com.acme.Mail", "drop(java.lang.String)", "[\"one three\"]"));
        JobTraits traits = JobTraits.DEFAULT;
        JobId labelled =
                keep(jobs.withTraits(traits.withName("Pay \"all\" Bills").withLabels("a", "bb")));
        keep(jobs.withTraits(traits.withName("Pay the Rent").withLabels("a")));

        assertEquals(List.of(both), idsOf(list(JobQuery.ALL.withType("mail").withType("SEND"))));
        assertEquals(List.of(), idsOf(list(JobQuery.ALL.withType("send").withType("drop"))));
        assertEquals(List.of(one, both), idsOf(list(JobQuery.ALL.withArguments("one"))));
        for (String other : List.of("two", "END")) {
            assertEquals(
                    List.of(both), idsOf(list(JobQuery.ALL.withArguments("one").withArguments(other))), other);
        }
        assertEquals(List.of(), idsOf(list(JobQuery.ALL.withArguments("three").withArguments("two"))));
        assertEquals(List.of(labelled), idsOf(list(JobQuery.ALL.withLabel("a").withLabel("bb"))));
        assertEquals(
                List.of(labelled),
                idsOf(list(JobQuery.in(StateName.ENQUEUED).withLabel("bb").withLabel("a"))));
        assertEquals(List.of(), idsOf(list(JobQuery.ALL.withLabel("a").withLabel("c"))));
        assertEquals(
                List.of(labelled),
                idsOf(list(JobQuery.ALL.withType("pay").withType("\"all\" b").withType("bills"))));
    }

    @Test
    final void a_word_is_part_of_what_a_job_calls_or_of_its_name_and_of_nothing_else_of_it() {
        keep(jobs.withTraits(
                JobTraits.DEFAULT.withName("Rent").withLabels("vip").withQueue("mail")));

        for (String word : List.of("vip", "queue", "labels", "mail")) {
            assertEquals(List.of(), idsOf(list(JobQuery.ALL.withType(word))), word);
        }
    }

    @Test
    final void of_several_words_of_an_error_every_one_must_fit() {
        List<Lease> leases = claimed(3);
        assertWritten(fail(leases.get(0), Failure.because("Leak", "the pipe broke")));
        assertWritten(fail(leases.get(1), Failure.because("Leak", "the roof")));
        assertWritten(fail(leases.get(2), Failure.because("Fall", "the roof broke")));
        List<JobId> ids = leases.stream().map(lease -> lease.job().id()).toList();
        JobQuery failed = JobQuery.in(StateName.FAILED);

        assertEquals(
                List.of(ids.get(0)),
                idsOf(list(failed.withError("leak").withError("broke").withError("the"))));
        assertEquals(List.of(ids.get(2)), idsOf(list(failed.withError("ROOF").withError("broke"))));
        assertEquals(
                List.of(ids.get(1)),
                idsOf(list(JobQuery.ALL.withCause("Leak").withError("roof").withError("the"))));
        assertEquals(List.of(), idsOf(list(failed.withError("leak").withError("fall"))));
    }

    @Test
    final void failures_are_grouped_by_what_was_thrown_and_where() {
        List<Lease> leases = claimed(5);
        Failure boom = new Failure("java.lang.IllegalStateException", "boom 1", TRACE);
        Failure same = new Failure("java.lang.IllegalStateException", "boom 2", TRACE);
        Failure bare = Failure.because("Timeout", "too slow");
        assertWritten(fail(leases.get(0), boom));
        assertWritten(fail(leases.get(1), same));
        assertWritten(fail(leases.get(2), bare));
        assertWritten(AttemptEnd.retried(leases.get(3), Duration.ZERO, boom, HOUR));
        assertWritten(Endings.completed(leases.get(4)));

        Map<String, FailureGroup> groups = new HashMap<>();
        storage.search().failures().forEach(group -> groups.put(group.cause(), group));

        assertEquals(2, groups.size());
        String cause = "java.lang.IllegalStateException at com.acme.Slips.generate";
        assertEquals(cause, boom.cause());
        FailureGroup two = groups.get(cause);
        assertEquals(2, two.jobs());
        assertTrue(!two.first().isAfter(two.last()));
        assertEquals(Jobs.TARGET, two.target());
        assertTrue(List.of("boom 1", "boom 2").contains(two.message()));
        assertEquals(1, groups.get("Timeout").jobs());
        assertEquals(leases.get(2).job().id(), groups.get("Timeout").latest());
        assertEquals(2, list(JobQuery.ALL.withCause(cause)).lines().size());
        assertEquals(
                List.of(leases.get(2).job().id()),
                idsOf(list(JobQuery.ALL.withCause("Timeout").withError("SLOW"))));
        assertEquals(List.of(), idsOf(list(JobQuery.ALL.withCause("Timeout").withError("fast"))));
        assertThrows(
                IllegalArgumentException.class,
                () -> JobQuery.in(StateName.ENQUEUED).withError("x"));
    }

    @Test
    final void nodes_are_listed_while_they_live_and_for_a_while_after() {
        beat(OTHER);
        beat(NODE);
        claimed(3);
        storage.leave(OTHER);

        List<NodeSeen> seen = storage.search().nodes(HOUR);

        assertEquals(
                List.of(NODE, OTHER),
                seen.stream().map(node -> node.node().id()).toList());
        assertEquals(3, seen.get(0).running());
        assertNull(seen.get(0).goneAt());
        assertEquals("host " + NODE, seen.get(0).node().name());
        assertNotNull(seen.get(1).goneAt());
    }

    @Test
    final void recent_attempts_tell_how_long_they_waited_and_ran() {
        List<Lease> leases = claimed(3);
        storage.record(leases.stream().map(Endings::completed).toList());

        List<JobSearch.Attempt> recent = storage.search().recent(HOUR);

        assertEquals(3, recent.size());
        recent.forEach(attempt -> {
            assertNotNull(attempt.waited());
            assertNotNull(attempt.ranFor());
        });
    }

    @Test
    final void what_is_no_place_in_a_list_is_refused() {
        for (String after : List.of("", "x", "AAAA", "MCAxIDI", "%", "0 9999-12-31T00:00:00Z x")) {
            assertThrows(IllegalArgumentException.class, () -> storage.search().list(JobQuery.ALL, after, 1), after);
        }
    }

    private void assertPages(JobQuery filter, int expected) {
        List<JobId> all = idsOf(storage.search().list(filter, null, JobSearch.PAGE_MAX));
        List<JobId> paged = new ArrayList<>();
        String next = null;
        do {
            JobPage page = storage.search().list(filter, next, 4);
            assertTrue(page.lines().size() <= 4);
            paged.addAll(idsOf(page));
            next = page.next();
        } while (next != null);
        assertEquals(all, paged, filter::toString);
        assertEquals(expected, paged.stream().distinct().count(), filter::toString);
        assertEquals(expected, paged.size(), filter::toString);
    }

    private static Transition fail(Lease lease, Failure why) {
        return AttemptEnd.failed(lease, Duration.ZERO, why);
    }

    private JobPage list(JobQuery filter) {
        return storage.search().list(filter, null, JobSearch.PAGE_MAX);
    }

    private static List<JobId> idsOf(@Nullable JobPage page) {
        assertNotNull(page);
        return page.lines().stream().map(line -> line.job().id()).toList();
    }
}
