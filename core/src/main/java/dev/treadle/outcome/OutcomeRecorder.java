package dev.treadle.outcome;

import dev.treadle.job.Failure;
import dev.treadle.job.JobResult;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Details;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes endings down in natural batches: each turn writes whatever has gathered since the last write returned, so a
 * batch is one ending when the node is idle and hundreds under load. What could not be written stays in memory and is
 * written by a later turn; it is bounded by the jobs in flight. A turn that throws, whatever it throws, loses nothing. One
 * thread takes turns; any thread may offer.
 */
public final class OutcomeRecorder {
    /** Most endings in one write, in jobs. */
    public static final int RECORD_BATCH_MAX = StorageProvider.BATCH_MAX;

    /** A safety net only: every offer nudges. */
    private static final Duration UNTIL_NUDGED = Duration.ofSeconds(1);
    /** The rest after a write that found the key of a job held by another transaction. */
    private static final Duration UNTIL_FREE = Duration.ofMillis(50);

    private static final Logger LOG = LoggerFactory.getLogger(OutcomeRecorder.class);

    private final StorageProvider storage;
    private final Listener listener;
    private final Runnable nudge;
    private final ConcurrentLinkedQueue<Transition> offered = new ConcurrentLinkedQueue<>();
    /** Those that are written already. */
    private final ConcurrentLinkedQueue<Transition> committed = new ConcurrentLinkedQueue<>();

    private final AtomicInteger waiting = new AtomicInteger();
    /** Taken from the queue and not yet written. Only the recording thread touches it. */
    private final List<Transition> batch = new ArrayList<>(RECORD_BATCH_MAX);
    /** How many endings of {@link #batch} one write takes; halved when a batch holds something that cannot be stored. */
    private int writeMax = RECORD_BATCH_MAX;
    /** What was written last, the answers, and how many of them are settled. Only the recording thread touches them. */
    private List<Transition> written = List.of();

    private List<WriteResult> answers = List.of();
    private int settled;
    /** Whether the last write left out an ending whose key another transaction holds. */
    private boolean anyBusy;

    /** Who has something to do around each write; called on the recording thread. */
    public interface Listener {
        /** Before endings are written. What it throws puts off the write. */
        default void before() {}

        /**
         * An ending needs no more writing, so its job is no longer here. Called again if it runs out of memory; then it
         * must go on from where it was.
         */
        default void release(Transition ending) {}

        /** The same, later. What it throws is logged: it keeps no listener from hearing of the others. */
        void settled(Transition ending, WriteResult result);
    }

    /**
     * @param written told about each lease that needs no more writing, on the recording thread
     * @param nudge   ends the rest of the loop that takes turns
     */
    public OutcomeRecorder(StorageProvider storage, Consumer<Lease> written, Runnable nudge) {
        this(storage, nudge, (ending, result) -> written.accept(ending.lease()));
    }

    /** @param nudge ends the rest of the loop that takes turns */
    public OutcomeRecorder(StorageProvider storage, Runnable nudge, Listener listener) {
        this.storage = storage;
        this.listener = listener;
        this.nudge = nudge;
    }

    /** Hands in an ending; returns at once. */
    public void offer(Transition ending) {
        offer(offered, ending);
    }

    /** Hands in an ending that is written already, so that only what follows is left to do; returns at once. */
    public void offerWritten(Transition ending) {
        offer(committed, ending);
    }

    private void offer(ConcurrentLinkedQueue<Transition> to, Transition ending) {
        // counted first: while none is counted, all that were offered are settled
        waiting.incrementAndGet();
        boolean added = false;
        try {
            added = to.add(ending);
        } finally {
            if (!added) {
                waiting.decrementAndGet();
            }
        }
        nudge.run();
    }

    /** How many endings have been offered and are not written yet. */
    public int waiting() {
        return waiting.get();
    }

    /**
     * Writes what has gathered.
     *
     * @return how long to rest; zero if more is waiting
     * @throws StorageException if the storage is away; everything is kept for the next turn
     */
    public Duration turn() {
        settleAll();
        settleCommitted();
        fill();
        if (batch.isEmpty()) {
            return UNTIL_NUDGED;
        }
        listener.before();
        List<Transition> head = batch.subList(0, Math.min(writeMax, batch.size()));
        List<Transition> now = List.copyOf(head);
        List<WriteResult> results;
        try {
            results = storage.record(now);
        } catch (StorageException e) {
            if (e.isWorthRepeating()) {
                throw e;
            }
            isolate(now, e);
            return Duration.ZERO;
        } catch (RuntimeException e) {
            // nobody knows what it means, so it may be one ending that is at fault
            isolate(now, e);
            return Duration.ZERO;
        }
        // no memory is needed from here on until all is noted
        head.clear();
        written = now;
        answers = results;
        settled = 0;
        writeMax = RECORD_BATCH_MAX;
        anyBusy = false;
        settleAll();
        if (anyBusy) {
            return UNTIL_FREE;
        }
        return waiting.get() > 0 ? Duration.ZERO : UNTIL_NUDGED;
    }

    private void settleCommitted() {
        if (committed.isEmpty()) {
            return;
        }
        listener.before();
        // removed after it was released: no memory is needed from there on
        for (Transition next; (next = committed.peek()) != null; ) {
            release(next);
            committed.poll();
            waiting.decrementAndGet();
            settle(next, WriteResult.WRITTEN);
        }
    }

    private void fill() {
        for (Transition next; batch.size() < RECORD_BATCH_MAX && (next = offered.poll()) != null; ) {
            batch.add(next);
        }
    }

    /** Continues after the one at which it may have failed. */
    private void settleAll() {
        while (settled < written.size()) {
            Transition ending = written.get(settled);
            WriteResult result = answers.get(settled);
            if (result instanceof WriteResult.Busy) {
                // behind the others: who holds a key for long holds up only its jobs
                offered.add(ending);
                anyBusy = true;
                settled++;
                continue;
            }
            release(ending);
            settled++;
            waiting.decrementAndGet();
            settle(ending, result);
        }
        written = List.of();
        answers = List.of();
        settled = 0;
    }

    private void release(Transition ending) {
        try {
            listener.release(ending);
        } catch (RuntimeException e) {
            LOG.error(
                    "The ending of job {} is written; what was to follow failed.",
                    ending.lease().job().id(),
                    e);
        }
    }

    private void settle(Transition ending, WriteResult result) {
        // what was told to end because its lease was lost has been logged as such
        if (!(result instanceof WriteResult.Written) && ending.next() != StateName.ENQUEUED) {
            LOG.warn(
                    "The outcome of job {} (attempt {}, {}) was refused: its lease is no longer held by {}. It was"
                            + " rescued or cancelled in the meantime, and what came of that counts.",
                    ending.lease().job().id(),
                    ending.lease().job().attempt(),
                    ending.event(),
                    ending.lease().node());
        }
        try {
            listener.settled(ending, result);
        } catch (RuntimeException | Error e) {
            // why errors too: the others of this batch would count as running here for as long as this node lives
            LOG.error(
                    "The ending of job {} is written; what was to follow failed.",
                    ending.lease().job().id(),
                    e);
        }
    }

    /** Finds the one ending that cannot be stored by halving, and replaces its text, which is all that can be wrong. */
    private void isolate(List<Transition> failed, RuntimeException why) {
        if (failed.size() > 1) {
            writeMax = failed.size() / 2;
            return;
        }
        Transition bad = failed.get(0);
        Transition plain = withoutText(bad);
        if (plain.equals(bad)) {
            // nothing to leave out: let the others pass, and try it again after them
            offered.add(bad);
            batch.remove(0);
            throw why;
        }
        LOG.error(
                "The outcome of job {} cannot be stored; its text is left out.",
                bad.lease().job().id(),
                why);
        batch.set(0, plain);
    }

    private static Transition withoutText(Transition ending) {
        Details details = ending.details();
        if (details.why() != null) {
            return ending.with(details.withWhy(
                    Failure.because("NotStorable", "The storage refused the text of this failure: the log has it.")));
        }
        return details.result() == null
                ? ending
                : ending.with(details.withResult(
                        JobResult.notKept("The storage refused the result: the log has the reason.")));
    }
}
