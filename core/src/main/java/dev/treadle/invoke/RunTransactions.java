package dev.treadle.invoke;

import dev.treadle.commit.OpenBlocks;
import dev.treadle.commit.TransactionBlock;
import dev.treadle.job.Failure;
import dev.treadle.job.JobResult;
import dev.treadle.job.LeaseLostException;
import dev.treadle.job.RetryDecision;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Transition;
import dev.treadle.outcome.Outcome;
import dev.treadle.storage.JobTransactions;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.TransactionalStorage;
import dev.treadle.transaction.TransactionCall;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transactions in which the code of one run works. {@link #succeed} commits the run's success together with what the
 * code did. What else is to be committed with the work of a block goes through {@link #run}, with {@link LastWrites} of its
 * own. Used by the thread of the run.
 */
public final class RunTransactions {
    /** How often it is looked whether a commit without an answer took effect, in looks. */
    static final int LOOKS_MAX = 10;
    /** The rest before the second look, in milliseconds; doubled before each further one. */
    private static final long REST_MILLIS = 100;
    /** The longest rest between two looks, in milliseconds. */
    private static final long REST_MILLIS_MAX = 5_000;

    private static final Failure NOT_LOOKED = Failure.because(
            "Unknown", "Whether the transaction of this attempt was committed could not even be looked at.");

    private static final Logger LOG = LoggerFactory.getLogger(RunTransactions.class);

    private final Shared shared;
    private final Run run;
    private State state = State.READY;
    /** What was committed; null if the run has not ended by its own transaction. */
    private @Nullable Transition ending;
    /** Why it is not known whether the success was committed. */
    private @Nullable Throwable unknown;

    RunTransactions(Shared shared, Run run) {
        this.shared = shared;
        this.run = run;
    }

    /**
     * What the runs of a node share.
     *
     * @param blocks lets plain calls of the scheduler take part
     * @param due    run when the end of a job may have let another begin
     */
    public record Shared(StorageProvider storage, OpenBlocks blocks, Runnable due) {}

    private enum State {
        /** No transaction is open, and one may begin. */
        READY,
        /** The code works in one. */
        OPEN,
        /** The run's success is being committed, or it is not known whether it was. */
        UNKNOWN,
        COMMITTED,
        LEASE_LOST
    }

    /** What is written in a transaction after the code has done its work. */
    interface LastWrites<R> {
        /**
         * Writes. What it throws rolls the transaction back.
         *
         * @param in     writes into the transaction
         * @param result what the code returned
         * @throws LeaseLostException if the run's lease is gone
         */
        void write(TransactionalStorage in, R result);

        /**
         * Whether the transaction was committed, asked when the commit's answer was lost and the transaction has been ended
         * here.
         *
         * @throws StorageException if that cannot be found out now, as while the database has not ended it yet
         */
        boolean isCommitted(JobTransactions look);

        /** Whether the run has succeeded with that commit, so that nothing it does later changes that. */
        boolean endsRun();
    }

    /**
     * Runs a call in a transaction that ends the run well.
     *
     * @param given where the connection comes from; null for the storage's own
     */
    <R, X extends Exception> R succeed(@Nullable DataSource given, TransactionCall<R, X> call) throws X {
        return run(given, call, new Success<>());
    }

    /**
     * Runs a call in a transaction, and commits it with the last writes.
     *
     * @param given where the connection comes from; null for the storage's own
     * @throws LeaseLostException if the lease is gone; nothing was kept then
     * @throws StorageException   if the transaction could not be committed; or if it is not known whether it was
     */
    <R, X extends Exception> R run(@Nullable DataSource given, TransactionCall<R, X> call, LastWrites<R> last)
            throws X {
        demandReady();
        JobTransactions own = own();
        JobTransactions.Permit permit = given == null ? permit(own) : () -> {};
        state = State.OPEN;
        TransactionBlock block;
        R result;
        Throwable failed;
        try (TransactionBlock open = TransactionBlock.begin(given == null ? own.dataSource() : given)) {
            block = open;
            TransactionalStorage in = shared.storage.in(open.connection(), open::afterCommit);
            result = work(given, open, call, own);
            last.write(in, result);
            // from here on until the answer is known
            state = State.UNKNOWN;
            failed = open.commit();
        } finally {
            permit.close();
            if (state == State.OPEN) {
                state = State.READY;
            }
        }
        if (failed != null) {
            findOut(failed, last, own);
        }
        committed(last);
        block.tellOfCommit();
        return result;
    }

    private <R, X extends Exception> R work(
            @Nullable DataSource given, TransactionBlock open, TransactionCall<R, X> call, JobTransactions own)
            throws X {
        boolean done = false;
        try {
            if (given == null) {
                own.workBegins(open.connection());
            }
            R result = shared.blocks.run(open, call);
            done = true;
            own.workEnds(open.connection());
            return result;
        } finally {
            if (!done && given == null) {
                own.workFailed(open.connection());
            }
        }
    }

    private JobTransactions.Permit permit(JobTransactions own) {
        try {
            return own.permit();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException(
                    "The transaction of " + job() + " was not begun: the job was interrupted while it waited for a"
                            + " connection.",
                    e,
                    true);
        }
    }

    private void committed(LastWrites<?> last) {
        state = last.endsRun() ? State.COMMITTED : State.READY;
        if (last.endsRun() && run.lease().job().traits().key() != null) {
            shared.due.run();
        }
    }

    private JobTransactions own() {
        return shared.storage
                .jobTransactions()
                .orElseThrow(() -> new UnsupportedOperationException("The storage ("
                        + shared.storage.description() + ") has no transactions in which a job could work. Use"
                        + " SqlStorageProvider, or do the work without a connection of it."));
    }

    private void demandReady() {
        run.demandOwnThread();
        switch (state) {
            case READY -> {
                if (run.hasLostLease()) {
                    throw lost("no transaction was begun");
                }
            }
            case OPEN ->
                throw new IllegalStateException("A transaction of " + job() + " is open already on this thread. Do all"
                        + " that belongs together in that one.");
            case UNKNOWN ->
                throw new IllegalStateException(
                        "It is not known whether the transaction of " + job() + " was committed, so"
                                + " this attempt may begin no other. Let the exception of the first one end the attempt.");
            case COMMITTED ->
                throw new IllegalStateException("The transaction of " + job() + " has been committed, and the job has"
                        + " succeeded with it: it cannot have a second one. Do all in one transaction, or enqueue"
                        + " another job in it.");
            case LEASE_LOST -> throw lost("no transaction was begun");
        }
    }

    private String job() {
        return "job " + run.jobId();
    }

    private LeaseLostException lost(String what) {
        return new LeaseLostException("Job " + run.jobId() + " (attempt " + run.attempt() + ") lost its lease: it was"
                + " cancelled, or another node took it over. So " + what + ".");
    }

    /** Returns if the transaction was committed. */
    private void findOut(Throwable failed, LastWrites<?> last, JobTransactions look) {
        // why cleared: on a virtual thread an interrupt breaks connections, and it may be what broke this one
        boolean interrupted = Thread.interrupted();
        try {
            if (look(failed, last, look)) {
                LOG.info("The answer to the commit of {} was lost, and it was found committed.", job(), failed);
                return;
            }
            state = State.READY;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        throw new StorageException(
                "The transaction of " + job() + " could not be committed and was rolled back: nothing of it was kept. "
                        + failed.getMessage(),
                failed,
                true);
    }

    private boolean look(Throwable failed, LastWrites<?> last, JobTransactions look) {
        StorageException why = new StorageException(
                "Whether the transaction of " + job() + " was committed could not be found out. If it was, the"
                        + " job has succeeded; if not, it is tried again. "
                        + failed.getMessage(),
                failed,
                true);
        long rest = REST_MILLIS;
        for (int looks = 1; looks <= LOOKS_MAX && !Thread.currentThread().isInterrupted(); looks++) {
            try {
                return last.isCommitted(look);
            } catch (StorageException e) {
                why.addSuppressed(e);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(rest));
            rest = Math.min(REST_MILLIS_MAX, 2 * rest);
        }
        if (last.endsRun()) {
            unknown = why;
        } else {
            state = State.READY;
        }
        throw why;
    }

    /**
     * What the run's transactions say about how it ended.
     *
     * @param thrown what its code threw; null if it returned
     * @return null if they leave it to what the code did
     */
    @Nullable
    Outcome outcome(Duration ranFor, @Nullable Throwable thrown) {
        if (state == State.COMMITTED && ending != null) {
            if (thrown != null) {
                LOG.warn(
                        "Job {} threw after its transaction had been committed. It has succeeded, and is not tried again.",
                        run.jobId(),
                        thrown);
            }
            return new Outcome.Committed(ending);
        }
        if (state == State.LEASE_LOST) {
            return new Outcome.Stopped(ranFor);
        }
        // whatever the code made of it: it is no success unless it was committed, and then this ending is refused
        return state == State.UNKNOWN && thrown == null
                ? new Outcome.Threw(ranFor, unknown == null ? NOT_LOOKED : Failure.of(unknown), RetryDecision.BY_POLICY)
                : null;
    }

    /** Ends the run well. */
    private final class Success<R> implements LastWrites<R> {
        @Override
        public void write(TransactionalStorage in, R result) {
            Transition success = run.success(result);
            ending = success;
            try {
                record(in, success);
            } catch (StorageException e) {
                if (e.isWorthRepeating() || success.result() == null) {
                    throw e;
                }
                LOG.error("The result of {} cannot be stored and is left out.", job(), e);
                ending = success.with(success.details()
                        .withResult(JobResult.notKept("The storage refused the result: the log has the reason.")));
                record(in, ending);
            }
        }

        private void record(TransactionalStorage in, Transition success) {
            if (!(in.record(List.of(success)).get(0) instanceof WriteResult.Written)) {
                throw leaseGone();
            }
        }

        private LeaseLostException leaseGone() {
            state = State.LEASE_LOST;
            LeaseLostException lost = lost("its transaction was rolled back");
            LOG.warn(lost.getMessage());
            return lost;
        }

        @Override
        public boolean isCommitted(JobTransactions look) {
            return switch (look.standing(RunId.of(run.lease()))) {
                case SUCCEEDED -> true;
                case HOLDS_LEASE -> false;
                case LOST_LEASE -> throw leaseGone();
            };
        }

        @Override
        public boolean endsRun() {
            return true;
        }
    }
}
