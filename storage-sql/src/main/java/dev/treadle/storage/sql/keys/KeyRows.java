package dev.treadle.storage.sql.keys;

import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.lifecycle.KeySlots;
import dev.treadle.storage.sql.portable.KeyStatements;
import dev.treadle.storage.sql.portable.KeyStatements.Head;
import dev.treadle.storage.sql.rows.LaneIds;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The keys that one transaction has locked, and how much room they have. All are locked by one call, sorted, before any
 * job is moved, and written back by {@link #settle}, which lets jobs go on that have room.
 */
public final class KeyRows {
    private final Session session;
    private final KeyStatements statements;
    private final LaneIds lanes;
    private final SortedMap<String, KeySlots> locked = new TreeMap<>();
    private final List<Head> wentOn = new ArrayList<>();

    KeyRows(Session session, KeyStatements statements, LaneIds lanes) {
        this.session = session;
        this.statements = statements;
        this.lanes = lanes;
    }

    /**
     * Locks the keys of these rules, and makes those that are not there.
     *
     * @param change whether the numbers of the rules count from now on; of several for one key the last does
     */
    void lock(Collection<KeyRule> rules, boolean change) throws SQLException {
        SortedMap<String, KeySlots> numbers = new TreeMap<>();
        rules.forEach(rule -> numbers.put(rule.line(), KeySlots.empty(rule)));
        if (!numbers.isEmpty()) {
            locked.putAll(statements.lock(session, numbers, change));
        }
    }

    /** Locks those of the keys that are there. */
    void hold(SortedSet<String> lines) throws SQLException {
        if (!lines.isEmpty()) {
            locked.putAll(statements.hold(session, lines));
        }
    }

    /**
     * The same without waiting.
     *
     * @return those that another transaction is writing
     */
    Set<String> holdFree(SortedSet<String> lines) throws SQLException {
        if (lines.isEmpty()) {
            return Set.of();
        }
        locked.putAll(statements.holdFree(session, lines));
        SortedSet<String> others = new TreeSet<>(lines);
        others.removeAll(locked.keySet());
        if (others.isEmpty()) {
            return Set.of();
        }
        Set<String> busy = statements.busy(session, others);
        // those that have become free in the meantime are locked now, and those that are not there need no lock
        others.removeAll(busy);
        hold(others);
        return busy;
    }

    /** Whether any key is locked here. */
    boolean isAny() {
        return !locked.isEmpty();
    }

    /** The number of a job's lane; the usual one for a job that was put in before there were lanes. */
    public int lane(JobTraits traits) throws SQLException {
        Integer lane = lanes.find(session, traits.lane());
        return lane == null ? LaneIds.DEFAULT : lane;
    }

    /** Null if there is no such key. */
    @Nullable
    KeySlots get(KeyRule rule) {
        return locked.get(rule.line());
    }

    void set(KeyRule rule, KeySlots slots) {
        locked.put(rule.line(), slots);
    }

    /** A job of this rule releases its slot. */
    public void release(KeyRule rule) {
        locked.computeIfPresent(rule.line(), (line, slots) -> slots.released());
    }

    /** A job may be claimed; it holds its slot. */
    void goOn(Head head) {
        wentOn.add(head);
    }

    /**
     * Whether the jobs of a key go on after the commit only. A rate counts from when its jobs can be seen: what a
     * transaction lets go on at its beginning, and shows at its end, would come on top of what the rate allows by then.
     */
    boolean waitsForCommit(KeySlots slots) {
        return session.isOfCaller() && !slots.spacing().isZero();
    }

    /**
     * Moves on all jobs that have room, and writes the keys back.
     *
     * @return how many jobs may be claimed that could not before
     */
    int settle(Instant now) throws SQLException {
        advance(now);
        enqueue();
        write(now);
        return wentOn.size();
    }

    private void advance(Instant now) throws SQLException {
        SortedMap<String, Integer> room = new TreeMap<>();
        locked.forEach((line, slots) -> {
            int free = waitsForCommit(slots) ? 0 : slots.room(now);
            if (free > 0) {
                room.put(line, free);
            }
        });
        if (room.isEmpty()) {
            return;
        }
        List<Head> heads = statements.heads(session, room);
        try (NamedStatement leave = session.statement(SqlStatement.LEAVE_LINE)) {
            for (Head head : heads) {
                leave.setObject("job_id", head.job());
                leave.addBatch();
                locked.computeIfPresent(head.line(), (line, slots) -> slots.granted(1, now));
            }
            leave.executeBatch();
        }
        wentOn.addAll(heads);
    }

    private void enqueue() throws SQLException {
        if (wentOn.isEmpty()) {
            return;
        }
        try (NamedStatement insert = session.statement(SqlStatement.GO_ON)) {
            for (Head head : wentOn) {
                insert.setInt("lane", head.lane());
                insert.setInt("priority", head.priority());
                insert.setObject("job_id", head.job());
                insert.setInt("attempt", head.attempt());
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private void write(Instant now) throws SQLException {
        try (NamedStatement set = session.statement(SqlStatement.SET_KEY);
                NamedStatement drop = session.statement(SqlStatement.DROP_KEY)) {
            boolean anySet = false;
            boolean anyDropped = false;
            for (String line : locked.keySet()) {
                KeySlots slots =
                        waitsForCommit(locked.get(line)) ? locked.get(line).woken(now) : locked.get(line);
                if (slots.isIdle(now)) {
                    drop.setString("line", line);
                    drop.addBatch();
                    anyDropped = true;
                } else {
                    set(set, line, slots);
                    anySet = true;
                }
            }
            if (anySet) {
                set.executeBatch();
            }
            if (anyDropped) {
                drop.executeBatch();
            }
        }
    }

    private static void set(NamedStatement set, String line, KeySlots slots) throws SQLException {
        set.setInt("held", slots.held());
        set.setInt("waiting", slots.waiting());
        set.setInt("at_most", slots.atMost());
        set.setInt("burst", slots.burst());
        set.setObject("spacing_micros", Rows.micros(slots.spacing()));
        set.setObject("paid_at", Rows.time(slots.paidAt()), java.sql.Types.TIMESTAMP_WITH_TIMEZONE);
        set.setObject("wake_at", Rows.time(slots.wakeAt()), java.sql.Types.TIMESTAMP_WITH_TIMEZONE);
        set.setString("line", line);
        set.addBatch();
    }
}
