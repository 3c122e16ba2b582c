package dev.treadle.storage.admin;

import dev.treadle.job.AfterRule;
import dev.treadle.job.JobId;
import dev.treadle.job.JoinRule;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Gate;
import dev.treadle.storage.NodeInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a dashboard asks: lists of jobs page by page, failures by cause, and who is there. No call counts rows or reads
 * more than its limits say, so that answers take as long with ten million jobs as with ten. Thread-safe.
 */
public interface JobSearch {
    /** Most jobs on one page. */
    int PAGE_MAX = 200;
    /** Most jobs that one call of {@link #list} looks at, in jobs; where few match, a page continues where this one ended. */
    int SCAN_MAX = 5_000;
    /** The same where failed or cancelled ones are looked through: whether that is still so has to be looked up of each. */
    int ENDED_SCAN_MAX = 2_000;
    /** The same where a label is looked for together with something else: where each stands has to be looked up. */
    int LABELLED_SCAN_MAX = 1_000;
    /**
     * Most jobs of a gate that are looked through where only those of a state are wanted, in jobs; with more, all of that
     * state are looked through.
     */
    int GATE_WALK_MAX = 5_000;
    /** Most failures that are counted of one cause; larger numbers are reported as "this many or more". */
    int CAUSE_COUNT_MAX = 100;
    /** Most causes told. */
    int CAUSES_MAX = 100;
    /** Longest part of a job's arguments that a list shows, in characters. */
    int ARGUMENT_CHARS_MAX = 300;
    /** Most attempts that {@link #recent} gives. */
    int RECENT_MAX = 500;

    /**
     * Jobs that match, newest id first; waiting ones in the order in which they will run, those that wait for a slot of
     * their key after them; those that failed or were cancelled by the time of that, latest first. With a label and
     * without a cause, newest id first in any state. What a gate counts is listed in the order of spawning; where it counts
     * more than {@link #GATE_WALK_MAX}, those of one state may have the order of that state.
     *
     * @param after where the page before ended; null for the first page
     * @param max   most jobs to give, 1 to {@link #PAGE_MAX}
     * @throws IllegalArgumentException if {@code after} is not what a page of the same filter gave
     */
    JobPage list(JobQuery filter, @Nullable String after, int max);

    /** How many jobs are in each state, every state included; not counted but kept up to date by each write. */
    Map<StateName, Long> counts();

    /**
     * The gates of jobs, job by job: those first at which one waits, then by name.
     *
     * @param waiters at most {@link dev.treadle.storage.StorageProvider#BATCH_MAX}
     * @param from    how many to leave out
     * @param max     most gates to give, 1 to {@link dev.treadle.storage.StorageProvider#BATCH_MAX}
     */
    List<GateSeen> gates(Collection<JobId> waiters, int from, int max);

    /** Jobs that are Failed, by the cause of their failure, latest first. At most {@link #CAUSES_MAX}. */
    List<FailureGroup> failures();

    /** Attempts that ended within this time, at most {@link #RECENT_MAX}, in any order: a sample to judge latency by. */
    List<Attempt> recent(Duration within);

    /** How long the job has waited that came due first; null if none is due. Of jobs that have not yet been claimed. */
    @Nullable
    Duration longestWait();

    /** Nodes that live or went within this time, those that live first. */
    List<NodeSeen> nodes(Duration goneWithin);

    /**
     * What is known of a gate.
     *
     * @param gate  with all that was committed until now
     * @param rule  under which its job waits for those it counts, if it is suspended; null if it does not
     * @param after under which its job waits to run after those it counts; null if it does not
     * @param event what its job waits or waited for, if that is an event; null if the gate counts jobs
     */
    record GateSeen(
            Gate gate,
            @Nullable JoinRule rule,
            @Nullable AfterRule after,
            @Nullable EventSeen event) {
        /** Of one whose job does not wait to run after others. */
        public GateSeen(Gate gate, @Nullable JoinRule rule, @Nullable EventSeen event) {
            this(gate, rule, null, event);
        }

        /** Whether its job waits here, if it is suspended. */
        public boolean isAwaited() {
            return rule != null || after != null || event != null && event.awaited();
        }
    }

    /**
     * An event that a job waits or waited for.
     *
     * @param type    the name of the class that the job's code asks for
     * @param until   when its time is over
     * @param awaited whether its job waits for it, if it is suspended
     * @param here    it has come
     * @param over    it has not come in time
     */
    record EventSeen(String type, Instant until, boolean awaited, boolean here, boolean over) {}

    /**
     * An attempt that ended.
     *
     * @param waited from its coming to its claim, of a first attempt that was due at once; null of others
     * @param ranFor how long user code ran; null if that is not known
     */
    record Attempt(@Nullable Duration waited, @Nullable Duration ranFor) {}

    /**
     * What is known of a node.
     *
     * @param node      what it says of itself
     * @param startedAt when it was first seen
     * @param beatAgo   how long ago it was heard, by the clock of the storage
     * @param goneAt    when it took leave or was buried; null while it lives
     * @param running   how many leases it holds
     */
    record NodeSeen(
            NodeInfo node,
            Instant startedAt,
            Duration beatAgo,
            @Nullable Instant goneAt,
            int running) {}
}
