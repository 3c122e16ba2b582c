package dev.treadle.storage.sql;

import dev.treadle.job.Due;
import dev.treadle.job.EnqueueResult;
import dev.treadle.job.JobId;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Details;
import dev.treadle.lifecycle.JobAction;
import dev.treadle.lifecycle.Transition;
import dev.treadle.lifecycle.UniqueTerms;
import dev.treadle.storage.JobQueries;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.RecurringStorage;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.TransactionalStorage;
import dev.treadle.storage.sql.admin.SqlFollowers;
import dev.treadle.storage.sql.admin.SqlGates;
import dev.treadle.storage.sql.admin.SqlOperators;
import dev.treadle.storage.sql.admin.SqlQueries;
import dev.treadle.storage.sql.admin.SqlRecurring;
import dev.treadle.storage.sql.admin.SqlUnique;
import dev.treadle.storage.sql.jobs.Batches;
import dev.treadle.storage.sql.jobs.CommitNotifier;
import dev.treadle.storage.sql.jobs.EndingsWriter;
import dev.treadle.storage.sql.jobs.SqlInserts;
import dev.treadle.storage.sql.jobs.SqlRuns;
import dev.treadle.storage.sql.keys.SqlKeys;
import dev.treadle.storage.sql.portable.DialectStatements;
import dev.treadle.storage.sql.portable.GatesOfEnded;
import dev.treadle.storage.sql.portable.Notifier;
import dev.treadle.storage.sql.rows.LaneIds;
import dev.treadle.storage.sql.session.Transactions;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What can be done in any transactions: those of the storage, or that of a caller. As thread-safe as the transactions.
 */
final class TransactionalSql implements TransactionalStorage {
    private final Transactions transactions;
    /** Where endings are written. */
    private final Transactions endings;

    private final Shared shared;
    private final SqlInserts inserts;
    private final EndingsWriter endingsWriter;
    private final CommitNotifier news;

    /**
     * What all transactions of one storage share.
     *
     * @param verbs    the statements of the dialect
     * @param keys     what is done with jobs that have a key
     * @param lanes    the numbers of lanes
     * @param notifier told of commits
     * @param clock    of this process
     */
    record Shared(DialectStatements verbs, SqlKeys keys, LaneIds lanes, Notifier notifier, InstantSource clock) {}

    TransactionalSql(Transactions transactions, Transactions endings, Shared shared) {
        this.transactions = transactions;
        this.endings = endings;
        this.shared = shared;
        this.inserts =
                new SqlInserts(transactions, shared.verbs, shared.keys, shared.lanes, shared.notifier, shared.clock);
        this.endingsWriter = new EndingsWriter(endings, shared.verbs, shared.keys);
        this.news = new CommitNotifier(shared.verbs, shared.notifier, transactions::afterCommit);
    }

    /** Inserts, which can also be born leased. */
    SqlInserts inserts() {
        return inserts;
    }

    /** Tells of commits. */
    CommitNotifier news() {
        return news;
    }

    @Override
    public Set<JobId> insert(List<NewJob> jobs, @Nullable OperatorAct act) {
        if (SqlFollowers.isAmong(jobs)) {
            return new SqlFollowers(transactions, shared.verbs, shared.keys, () -> news.mayBeDue(true))
                    .insert(jobs, act);
        }
        return inserts.insert(jobs, act);
    }

    @Override
    public List<WriteResult> record(List<Transition> ended) {
        shared.lanes.know(endings, ended);
        return told(ended, endingsWriter.write(ended));
    }

    /** What was written about attempts, after those who look for jobs have been told. */
    List<WriteResult> told(List<Transition> ended, List<WriteResult> results) {
        news.recorded(ended, ended.stream().anyMatch(SqlKeys::isKeyed));
        return results;
    }

    @Override
    public List<WriteResult> act(JobAction action, OperatorNote note, List<JobId> ids, @Nullable OperatorAct act) {
        if (ids.size() > ACT_MAX) {
            throw new IllegalArgumentException(
                    "act() takes at most " + ACT_MAX + " jobs at once, not " + ids.size() + ".");
        }
        String jobs = ids.size() == 1 ? "job " + ids.get(0) : ids.size() + " jobs";
        List<WriteResult> results = transactions.transaction(action + " " + jobs, false, session -> {
            List<WriteResult> done = SqlOperators.change(session, shared.keys, ids, action.trigger(), Details.of(note));
            if (action == JobAction.CANCEL) {
                GatesOfEnded.cancel(session, written(ids, done));
            }
            if (act != null) {
                Batches.note(session, act, written(done));
            }
            return done;
        });
        if (action.trigger().to() == StateName.ENQUEUED) {
            news.mayBeDue(written(results) > 0);
        } else {
            // its end may have let the next of its key go on
            news.mayStandBefore();
        }
        return results;
    }

    private static List<JobId> written(List<JobId> ids, List<WriteResult> results) {
        return IntStream.range(0, ids.size())
                .filter(i -> results.get(i) instanceof WriteResult.Written)
                .mapToObj(ids::get)
                .toList();
    }

    private static int written(List<WriteResult> results) {
        return (int) results.stream().filter(WriteResult.WRITTEN::equals).count();
    }

    @Override
    public JobQueries queries() {
        return new SqlQueries(transactions);
    }

    @Override
    public EnqueueResult insertUnique(NewJob job, UniqueTerms.Asked asked) {
        return unique().insert(job, asked);
    }

    /** See {@link StorageProvider#forgetUnneeded}. */
    @Nullable
    String forgetUnneeded(String after) {
        if (after.isEmpty()) {
            runs().forgetRequestsToGoneNodes();
        }
        return unique().forget(after);
    }

    private SqlUnique unique() {
        return new SqlUnique(
                transactions, shared.verbs, shared.keys, job -> news.mayBeDue(job.due() instanceof Due.Now));
    }

    @Override
    public SqlRuns runs() {
        return new SqlRuns(transactions, endings, shared.verbs, gates());
    }

    private SqlGates gates() {
        return new SqlGates(
                transactions,
                inserts,
                shared.verbs,
                shared.keys,
                (ids, note) -> act(JobAction.CANCEL, note, ids, null),
                () -> news.mayBeDue(true),
                news::mayStandBefore);
    }

    @Override
    public RecurringStorage recurring() {
        return new SqlRecurring(
                transactions, shared.verbs, shared.keys, shared.lanes, () -> news.mayBeDue(true), news::changed);
    }
}
