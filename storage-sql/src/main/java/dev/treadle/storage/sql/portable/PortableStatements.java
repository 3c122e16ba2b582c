package dev.treadle.storage.sql.portable;

import dev.treadle.job.JobId;
import dev.treadle.job.NodeId;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Transition;
import dev.treadle.lifecycle.Trigger;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.NodeFigures;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.NotesUpdate;
import dev.treadle.storage.PendingWork;
import dev.treadle.storage.PendingWork.Head;
import dev.treadle.storage.RecurringStorage.Advance;
import dev.treadle.storage.sql.rows.LaneIds;
import dev.treadle.storage.sql.rows.NextDue;
import dev.treadle.storage.sql.rows.NodeRows;
import dev.treadle.storage.sql.rows.PendingWorkRows;
import dev.treadle.storage.sql.rows.Place;
import dev.treadle.storage.sql.rows.SaidLine;
import dev.treadle.storage.sql.rows.Tally;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Each verb as a few statements in one transaction: candidates are read without a lock and then taken one by one on the
 * condition that they are still there, because H2 locks every row that a locking query's condition matches.
 */
public class PortableStatements implements DialectStatements {
    private final KeyStatements keys = new PortableKeys();
    private final LaneIds lanes;

    public PortableStatements(LaneIds lanes) {
        this.lanes = lanes;
    }

    @Override
    public boolean areSingleStatements() {
        return false;
    }

    @Override
    public Set<JobId> insert(Session session, List<NewJob> jobs, @Nullable NotifyWithInsert ring) throws SQLException {
        Set<JobId> fresh = keep(session, jobs);
        PortablePlaces places = new PortablePlaces(session, lanes);
        Instant now = places.now();
        jobs.stream().filter(job -> fresh.contains(job.id())).forEach(job -> places.add(job, now));
        places.write();
        places.tally().write(session);
        return fresh;
    }

    @Override
    public Set<JobId> keep(Session session, List<NewJob> jobs) throws SQLException {
        Set<JobId> existing = existing(session, jobs);
        Set<JobId> fresh = new HashSet<>();
        try (NamedStatement insert = session.statement(SqlStatement.INSERT)) {
            for (NewJob job : jobs) {
                if (!existing.contains(job.id())) {
                    Rows.body(insert, job);
                    insert.addBatch();
                    fresh.add(job.id());
                }
            }
            insert.executeBatch();
        }
        return fresh;
    }

    @Override
    public KeyStatements keys() {
        return keys;
    }

    @Override
    public LeaseStatements leases() {
        return new PortableLeases();
    }

    @Override
    public List<Lease> insertLeased(Session session, NodeId node, List<NewJob> jobs) throws SQLException {
        Set<JobId> existing = existing(session, jobs);
        List<Place> fresh = new ArrayList<>();
        try (NamedStatement insert = session.statement(SqlStatement.INSERT)) {
            for (NewJob job : jobs) {
                if (!existing.contains(job.id())) {
                    Rows.body(insert, job);
                    insert.addBatch();
                    fresh.add(new Place(
                            lanes.of(job.lane()), job.priority(), null, job.id().value(), 0));
                }
            }
            insert.executeBatch();
        }
        new Tally().into(StateName.PROCESSING, fresh.size()).write(session);
        return lease(session, node, fresh);
    }

    private static Set<JobId> existing(Session session, List<NewJob> jobs) throws SQLException {
        Object[] ids = jobs.stream().map(job -> job.id().value()).toArray();
        Set<JobId> existing = new HashSet<>();
        try (NamedStatement select = session.statement(SqlStatement.EXISTING)) {
            select.setArray("ids", session.connection().createArrayOf("UUID", ids));
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    existing.add(JobId.of(Rows.uuid(rows, 1)));
                }
            }
        }
        return existing;
    }

    @Override
    public void tellProgress(Session session, List<NotesUpdate> told) throws SQLException {
        PortableNotes.progress(session, told);
    }

    @Override
    public void tellLines(Session session, List<SaidLine> lines) throws SQLException {
        PortableNotes.lines(session, lines);
    }

    @Override
    public int promote(Session session, int max) throws SQLException {
        List<Place> due;
        try (NamedStatement select = session.statement(SqlStatement.DUE)) {
            select.setInt("max", max);
            due = Place.read(select);
        }
        return move(session, StateName.SCHEDULED, Trigger.PROMOTE, SqlStatement.LEAVE_DEFERRED_IF_THERE, due);
    }

    @Override
    public int unpark(Session session, NodeId node, String target, Array lanes, int max) throws SQLException {
        List<Place> parked = new ArrayList<>();
        try (NamedStatement select = session.statement(SqlStatement.PARKED)) {
            select.setString("target", target);
            select.setArray("lanes", lanes);
            select.setLong("node", node.value());
            select.setInt("max", max);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    parked.add(new Place(rows.getInt(1), rows.getInt(2), null, Rows.uuid(rows, 3), rows.getInt(4)));
                }
            }
        }
        return move(session, StateName.PARKED, Trigger.UNPARK, SqlStatement.LEAVE_PARKED_IF_THERE, parked);
    }

    /** Applies one transition to a set of jobs: takes places away by job id, and makes ready those that were still there. */
    private int move(Session session, StateName state, Trigger trigger, SqlStatement leave, List<Place> from)
            throws SQLException {
        List<Place> sorted =
                from.stream().sorted(Comparator.comparing(Place::id)).toList();
        List<Place> taken = new ArrayList<>();
        try (NamedStatement delete = session.statement(leave)) {
            for (Place place : sorted) {
                delete.setObject("job_id", place.job());
                if (delete.executeUpdate() == 1) {
                    taken.add(place);
                }
            }
        }
        PortablePlaces places = new PortablePlaces(session, lanes);
        for (Place place : taken) {
            places.enqueue(new Place(
                    place.lane(),
                    place.priority(),
                    trigger.when() == Trigger.When.KEPT ? place.at() : null,
                    place.job(),
                    trigger.attempts().after(place.attempt())));
        }
        places.write();
        places.tally().from(state, taken.size()).write(session);
        return taken.size();
    }

    @Override
    public List<Lease> claim(Session session, NodeId node, int lane, int max) throws SQLException {
        List<Place> candidates;
        try (NamedStatement select = session.statement(SqlStatement.CANDIDATES)) {
            select.setInt("lane", lane);
            select.setInt("max", max);
            candidates = Place.read(select);
        }
        List<Place> taken = take(session, candidates);
        new Tally()
                .from(StateName.ENQUEUED, taken.size())
                .into(StateName.PROCESSING, taken.size())
                .write(session);
        return lease(session, node, taken);
    }

    private static List<Lease> lease(Session session, NodeId node, List<Place> taken) throws SQLException {
        if (taken.isEmpty()) {
            return List.of();
        }
        long token = nextToken(session);
        try (NamedStatement lease = session.statement(SqlStatement.LEASE)) {
            for (Place place : taken) {
                lease.setObject("job_id", place.job());
                lease.setLong("token", token);
                lease.setLong("node", node.value());
                lease.setInt("attempt", place.attempt() + 1);
                lease.addBatch();
            }
            lease.executeBatch();
        }
        return inOrder(taken, leased(session, taken));
    }

    private static List<Place> take(Session session, List<Place> candidates) throws SQLException {
        try (NamedStatement take = session.statement(SqlStatement.TAKE)) {
            for (Place place : candidates) {
                take.setInt("lane", place.lane());
                take.setInt("priority", place.priority());
                take.setObject("run_at", Rows.time(place.at()));
                take.setObject("job_id", place.job());
                take.addBatch();
            }
            int[] counts = take.executeBatch();
            List<Place> taken = new ArrayList<>();
            for (int i = 0; i < counts.length; i++) {
                if (counts[i] == 1) {
                    taken.add(candidates.get(i));
                }
            }
            return taken;
        }
    }

    private static long nextToken(Session session) throws SQLException {
        try (NamedStatement next = session.statement(SqlStatement.NEXT_TOKEN);
                ResultSet row = next.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    private static List<Lease> leased(Session session, List<Place> taken) throws SQLException {
        try (NamedStatement select = session.statement(SqlStatement.LEASED)) {
            select.setArray(
                    "ids",
                    session.connection()
                            .createArrayOf(
                                    "UUID", taken.stream().map(Place::job).toArray()));
            try (ResultSet rows = select.executeQuery()) {
                return Rows.allLeased(rows);
            }
        }
    }

    private static List<Lease> inOrder(List<Place> taken, List<Lease> leased) {
        Map<UUID, Lease> byId = new HashMap<>();
        leased.forEach(lease -> byId.put(lease.job().id().value(), lease));
        return taken.stream()
                .map(place -> {
                    Lease lease = byId.get(place.job());
                    return place.at() == null ? lease : new Lease(lease.job(), lease.token(), place.at());
                })
                .toList();
    }

    @Override
    public NextDue nextDue(Session session) throws SQLException {
        try (NamedStatement select = session.statement(SqlStatement.NEXT_DUE);
                ResultSet row = select.executeQuery()) {
            row.next();
            return NextDue.read(row, 1);
        }
    }

    @Override
    public PendingWork outlook(Session session, NodeId node) throws SQLException {
        try (NamedStatement select = session.statement(SqlStatement.OUTLOOK)) {
            select.setLong("node", node.value());
            try (ResultSet rows = select.executeQuery()) {
                return PendingWorkRows.read(rows, lanes).outlook();
            }
        }
    }

    @Override
    public void foldTally(Session session) throws SQLException {
        try (NamedStatement fold = session.statement(SqlStatement.FOLD_TALLY)) {
            fold.setInt("max", Tally.FOLD_MAX);
            fold.executeUpdate();
        }
    }

    @Override
    public List<Head> heads(Session session) throws SQLException {
        List<Head> heads = new ArrayList<>();
        try (NamedStatement select = session.statement(SqlStatement.HEADS);
                ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                heads.add(new Head(lanes.read(rows, 1), rows.getInt(4), Rows.instant(rows, 5)));
            }
        }
        return heads;
    }

    @Override
    public void beat(Session session, NodeInfo node) throws SQLException {
        try (NamedStatement beat = session.statement(SqlStatement.HEARTBEAT)) {
            NodeRows.beat(beat, node);
            beat.executeUpdate();
        }
        NodeFigures figures = node.figures();
        if (figures != null && figures.minute() != null) {
            try (NamedStatement keep = session.statement(SqlStatement.MINUTE);
                    NamedStatement forget = session.statement(SqlStatement.FORGET_MINUTES)) {
                NodeRows.minute(keep, node.id(), figures.minute());
                keep.executeUpdate();
                NodeRows.forget(forget);
                forget.executeUpdate();
            }
        }
    }

    @Override
    public Set<String> advance(Session session, List<Advance> advances) throws SQLException {
        return PortableRecurring.advance(session, advances);
    }

    @Override
    public Set<RunId> end(Session session, List<Transition> endings, Collection<RunId> followed) throws SQLException {
        return new PortableEndings(session, lanes, followed).write(endings);
    }
}
