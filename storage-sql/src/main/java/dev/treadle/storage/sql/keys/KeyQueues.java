package dev.treadle.storage.sql.keys;

import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.KeySlots;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.sql.portable.KeyStatements.Head;
import dev.treadle.storage.sql.rows.Tally;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.text.TraitsText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Moves jobs with a key between their line, the wait for their time, and the queue, in one transaction: first
 * {@linkplain KeyRows the keys} are locked, then jobs are moved, then {@link KeyRows#settle} is called. A job with a key
 * that has not ended and has no row in {@code treadle_keyed} holds a slot.
 */
public final class KeyQueues {
    private final Session session;
    private final KeyRows keys;
    private final Instant now;

    public KeyQueues(Session session, KeyRows keys) throws SQLException {
        this.session = session;
        this.keys = keys;
        this.now = now(session);
    }

    /** What time it is for the database, throughout this transaction. */
    public static Instant now(Session session) throws SQLException {
        try (NamedStatement select = session.statement(SqlStatement.NOW);
                ResultSet row = select.executeQuery()) {
            row.next();
            return Rows.instant(row, 1);
        }
    }

    public Instant now() {
        return now;
    }

    /** The rule of a job that has one. */
    static KeyRule rule(JobTraits traits) {
        KeyRule rule = traits.key();
        if (rule == null) {
            throw new IllegalStateException("A job without a key is among those with one.");
        }
        return rule;
    }

    /** The line of the key of a job that has one. */
    public static String line(Transition ending) {
        return rule(ending.lease().job().traits()).line();
    }

    /** Locks the keys of those that are due, and places all in their order. */
    void place(List<NewJob> jobs) throws SQLException {
        List<KeyRule> rules = new ArrayList<>();
        for (NewJob job : jobs) {
            if (!job.due().from(now).isAfter(now)) {
                rules.add(rule(job.traits()));
            }
        }
        keys.lock(rules, true);
        placeLocked(jobs);
        new Tally()
                .into(StateName.ENQUEUED, rules.size())
                .into(StateName.SCHEDULED, jobs.size() - rules.size())
                .write(session);
    }

    /** Places jobs whose keys are locked. */
    public void placeLocked(List<NewJob> jobs) throws SQLException {
        try (NamedStatement wait = session.statement(SqlStatement.WAIT_KEYED)) {
            boolean any = false;
            for (NewJob job : jobs) {
                Instant dueAt = job.due().from(now);
                boolean later = dueAt.isAfter(now);
                if (later || !goesOnAtOnce(job)) {
                    waiting(wait, job.id().value(), job.traits(), 0, !later, later ? dueAt : null);
                    any = true;
                }
            }
            if (any) {
                wait.executeBatch();
            }
        }
    }

    private boolean goesOnAtOnce(NewJob job) throws SQLException {
        KeyRule rule = rule(job.traits());
        KeySlots slots = slots(rule).joined();
        boolean alone = slots.waiting() == 1 && slots.room(now) > 0 && !keys.waitsForCommit(slots);
        keys.set(rule, alone ? slots.granted(1, now) : slots);
        if (alone) {
            keys.goOn(new Head(rule.line(), job.id().value(), keys.lane(job.traits()), job.priority(), 0));
        }
        return alone;
    }

    private KeySlots slots(KeyRule rule) {
        KeySlots slots = keys.get(rule);
        if (slots == null) {
            throw new IllegalStateException("The key '" + rule.line() + "' is not locked.");
        }
        return slots;
    }

    /** A job that is in no place, and whose key is locked, goes to the end of its line with the attempts it has had. */
    public void join(JobId job, JobTraits traits, int attempt) throws SQLException {
        KeyRule rule = rule(traits);
        try (NamedStatement wait = session.statement(SqlStatement.WAIT_KEYED)) {
            waiting(wait, job.value(), traits, attempt, true, null);
            wait.executeBatch();
        }
        keys.set(rule, slots(rule).joined());
    }

    /** A job that waits elsewhere without a slot: it was parked with it, gave it up on the way there, or is new. */
    public void putAside(JobId job, JobTraits traits, int attempt) throws SQLException {
        try (NamedStatement wait = session.statement(SqlStatement.WAIT_KEYED)) {
            waiting(wait, job.value(), traits, attempt, false, null);
            wait.executeBatch();
        }
    }

    private void waiting(
            NamedStatement wait, UUID job, JobTraits traits, int attempt, boolean inLine, @Nullable Instant dueAt)
            throws SQLException {
        KeyRule rule = rule(traits);
        wait.setObject("job_id", job);
        wait.setString("line", rule.line());
        wait.setInt("line_rank", rank(traits));
        wait.setBoolean("in_line", inLine);
        wait.setInt("lane", keys.lane(traits));
        wait.setInt("priority", traits.priority());
        wait.setInt("attempt", attempt);
        wait.setObject("due_at", Rows.time(dueAt), Types.TIMESTAMP_WITH_TIMEZONE);
        wait.addBatch();
    }

    /** The jobs of a mailbox keep their order; the others go by priority first. */
    private static int rank(JobTraits traits) {
        return traits.key() instanceof KeyRule.Mailbox ? 0 : traits.priority();
    }

    /** A job that has just been deferred for its retry waits there without its slot. */
    void deferWithoutSlot(JobId job, JobTraits traits) throws SQLException {
        try (NamedStatement insert = session.statement(SqlStatement.DEFER_KEYED);
                NamedStatement leave = session.statement(SqlStatement.LEAVE_DEFERRED_IF_THERE)) {
            insert.setString("line", rule(traits).line());
            insert.setInt("line_rank", rank(traits));
            insert.setObject("job_id", job.value());
            insert.executeUpdate();
            leave.setObject("job_id", job.value());
            leave.executeUpdate();
        }
    }

    /**
     * Jobs that were read as waiting, now that their keys are locked: those that still wait go to the end of their line.
     *
     * @param parked they are parked, and leave that place too; otherwise their time has come
     * @return how many were still there
     */
    int joinThoseThere(List<Waiting> jobs, boolean parked) throws SQLException {
        int joined = 0;
        try (NamedStatement join = session.statement(SqlStatement.JOIN_LINE);
                NamedStatement leave = session.statement(SqlStatement.LEAVE_PARKED_IF_THERE)) {
            for (Waiting job : jobs) {
                if (parked) {
                    leave.setObject("job_id", job.id());
                    if (leave.executeUpdate() == 0) {
                        continue;
                    }
                }
                join.setInt("line_rank", rank(job.traits()));
                join.setObject("job_id", job.id());
                join.setBoolean("parked", parked);
                if (join.executeUpdate() == 1) {
                    KeyRule rule = rule(job.traits());
                    keys.set(rule, slots(rule).joined());
                    joined++;
                }
            }
        }
        new Tally()
                .from(parked ? StateName.PARKED : StateName.SCHEDULED, joined)
                .into(StateName.ENQUEUED, joined)
                .write(session);
        return joined;
    }

    /**
     * Takes a job whose key is locked out of {@code treadle_keyed}.
     *
     * @return null if it is not there, so that it holds a slot if it has not ended
     */
    @Nullable
    public Left leave(JobId job, KeyRule rule) throws SQLException {
        try (NamedStatement leave = session.statement(SqlStatement.LEAVE_KEYED)) {
            leave.setObject("job_id", job.value());
            try (ResultSet row = leave.executeQuery()) {
                if (!row.next()) {
                    return null;
                }
                boolean inLine = row.getBoolean(2);
                StateName waits = row.getBoolean(3) ? StateName.PARKED : StateName.SCHEDULED;
                Left left = new Left(row.getInt(1), inLine ? StateName.ENQUEUED : waits);
                if (inLine) {
                    keys.set(rule, slots(rule).left());
                }
                return left;
            }
        }
    }

    /**
     * Where a job was.
     *
     * @param from if that is parked, it is in the table of parked jobs as well
     */
    public record Left(int attempt, StateName from) {}

    /** A job that was read as waiting for its time, or as parked. */
    record Waiting(UUID id, int attempt, JobTraits traits) {
        static List<Waiting> read(NamedStatement select) throws SQLException {
            List<Waiting> waiting = new ArrayList<>();
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    waiting.add(new Waiting(
                            Rows.uuid(rows, 1), rows.getInt(2), TraitsText.read(rows.getInt(3), rows.getString(4))));
                }
            }
            return waiting;
        }
    }
}
