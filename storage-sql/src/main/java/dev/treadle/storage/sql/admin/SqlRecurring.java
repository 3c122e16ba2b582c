package dev.treadle.storage.sql.admin;

import dev.treadle.job.JobId;
import dev.treadle.job.KeyRule;
import dev.treadle.job.OperatorAct;
import dev.treadle.lifecycle.RecurringJob;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.RecurringStorage;
import dev.treadle.storage.sql.jobs.Batches;
import dev.treadle.storage.sql.keys.SqlKeys;
import dev.treadle.storage.sql.portable.DialectStatements;
import dev.treadle.storage.sql.rows.LaneIds;
import dev.treadle.storage.sql.rows.RecurringRows;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.session.Transactions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Recurring jobs in a SQL database. Thread-safe. */
public final class SqlRecurring implements RecurringStorage {
    private final Transactions transactions;
    private final DialectStatements verbs;
    private final SqlKeys keys;
    private final LaneIds lanes;
    private final Runnable jobsCameDue;
    /** Tells other processes to look when the next slot is. */
    private final Runnable changed;

    /** @param jobsCameDue told after a commit that may have made jobs due */
    public SqlRecurring(
            Transactions transactions,
            DialectStatements verbs,
            SqlKeys keys,
            LaneIds lanes,
            Runnable jobsCameDue,
            Runnable changed) {
        this.changed = changed;
        this.transactions = transactions;
        this.verbs = verbs;
        this.keys = keys;
        this.lanes = lanes;
        this.jobsCameDue = jobsCameDue;
    }

    @Override
    public List<RecurringJob> list(String from, int max) {
        return transactions.statement("list recurring jobs", true, session -> list(session, from, max));
    }

    private static List<RecurringJob> list(Session session, String from, int max) throws SQLException {
        try (NamedStatement select = session.statement(SqlStatement.RECURRING_LIST)) {
            select.setString("from", from);
            select.setInt("max", max);
            return RecurringRows.all(select);
        }
    }

    @Override
    public boolean write(RecurringJob job, @Nullable OperatorAct act) {
        boolean isWritten = transactions.transaction("write the recurring job " + job.id(), false, session -> {
            if (job.version() == 0 && isThere(session, job.id())) {
                return false;
            }
            try (NamedStatement write = session.statement(
                    job.version() == 0 ? SqlStatement.RECURRING_CREATE : SqlStatement.RECURRING_REPLACE)) {
                RecurringRows.set(write, job);
                write.setString("id", job.id());
                if (job.version() > 0) {
                    write.setLong("seen_version", job.version());
                }
                boolean written = write.executeUpdate() == 1;
                if (written && act != null) {
                    Batches.note(session, act, 0);
                }
                return written;
            }
        });
        if (isWritten) {
            changed.run();
        }
        return isWritten;
    }

    /** If another transaction creates it after this look, the write fails and is repeated, and then it is there. */
    private static boolean isThere(Session session, String id) throws SQLException {
        return list(session, id, 1).stream().anyMatch(found -> found.id().equals(id));
    }

    @Override
    public DueNow due(int max) {
        return transactions.statement("look for recurring jobs that are due", true, session -> {
            try (NamedStatement select = session.statement(SqlStatement.RECURRING_DUE)) {
                select.setInt("max", max);
                try (ResultSet rows = select.executeQuery()) {
                    return due(rows);
                }
            }
        });
    }

    private static DueNow due(ResultSet rows) throws SQLException {
        rows.next();
        Instant now = Rows.instant(rows, 22);
        Instant following = Rows.instantOrNull(rows, 23);
        Duration untilNext = following == null ? null : Duration.between(now, following);
        List<Found> found = new ArrayList<>();
        if (rows.getString(1) != null) {
            do {
                Instant ended = rows.getBoolean(24) ? now : Rows.instantOrNull(rows, 25);
                RecurringJob job = RecurringRows.one(rows);
                found.add(new Found(job, job.progress().job() == null ? null : ended));
            } while (rows.next());
        }
        return new DueNow(List.copyOf(found), now, untilNext);
    }

    @Override
    public Set<String> advance(List<Advance> advances) {
        List<Advance> sorted = advances.stream()
                .sorted(Comparator.comparing(advance -> advance.seen().id()))
                .toList();
        for (Advance advance : sorted) {
            advance.jobs().forEach(job -> lanes.know(transactions, job.lane()));
        }
        Moved moved = transactions.transaction("move recurring jobs on", false, session -> move(session, sorted));
        if (moved.madeJobs()) {
            jobsCameDue.run();
        }
        return moved.ids();
    }

    private Moved move(Session session, List<Advance> advances) throws SQLException {
        List<Advance> free = free(session, advances);
        Set<String> moved = free.isEmpty() ? Set.of() : verbs.advance(session, free);
        List<NewJob> jobs = free.stream()
                .filter(advance -> moved.contains(advance.seen().id()))
                .flatMap(advance -> advance.jobs().stream())
                .sorted(Comparator.comparing(NewJob::id))
                .toList();
        Set<JobId> fresh = jobs.isEmpty() ? Set.of() : keys.insert(session, jobs);
        Batches.describe(session, jobs, fresh);
        return new Moved(moved, !fresh.isEmpty());
    }

    /** Leaves those for a later look whose jobs need a key that another transaction holds: it may be a caller's, and long. */
    private List<Advance> free(Session session, List<Advance> advances) throws SQLException {
        List<KeyRule> rules = new ArrayList<>();
        advances.forEach(advance -> keysOf(advance).forEach(rules::add));
        Set<String> busy = keys.busy(session, rules);
        return busy.isEmpty()
                ? advances
                : advances.stream()
                        .filter(advance -> keysOf(advance).noneMatch(rule -> busy.contains(rule.line())))
                        .toList();
    }

    private static Stream<KeyRule> keysOf(Advance advance) {
        return advance.jobs().stream()
                .flatMap(job -> Stream.ofNullable(job.traits().key()));
    }

    /** What one transaction did. */
    private record Moved(Set<String> ids, boolean madeJobs) {}
}
