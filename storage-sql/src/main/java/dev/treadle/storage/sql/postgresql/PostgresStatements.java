package dev.treadle.storage.sql.postgresql;

import dev.treadle.job.Due;
import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.JobState;
import dev.treadle.job.NodeId;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.NodeFigures;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.NotesUpdate;
import dev.treadle.storage.PendingWork;
import dev.treadle.storage.PendingWork.Head;
import dev.treadle.storage.RecurringStorage.Advance;
import dev.treadle.storage.sql.portable.DialectStatements;
import dev.treadle.storage.sql.portable.KeyStatements;
import dev.treadle.storage.sql.portable.LeaseStatements;
import dev.treadle.storage.sql.portable.NotifyWithInsert;
import dev.treadle.storage.sql.portable.TransactionAge;
import dev.treadle.storage.sql.postgresql.ClaimBound.Position;
import dev.treadle.storage.sql.postgresql.ClaimBound.Segment;
import dev.treadle.storage.sql.postgresql.ClaimBound.Way;
import dev.treadle.storage.sql.rows.LaneIds;
import dev.treadle.storage.sql.rows.NextDue;
import dev.treadle.storage.sql.rows.NodeRows;
import dev.treadle.storage.sql.rows.SaidLine;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.text.MetaText;
import dev.treadle.storage.sql.text.TraitsText;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Each verb as one statement over arrays. */
public final class PostgresStatements implements DialectStatements {
    private final KeyStatements keys = new PostgresKeys();
    private final ClaimBounds bounds = new ClaimBounds(System::nanoTime);
    private final DueBound due = new DueBound(System::nanoTime);
    private final TallyFold tally = new TallyFold(System::nanoTime);
    private final LaneIds lanes;
    private final PostgresLooks looks;

    public PostgresStatements(LaneIds lanes) {
        this.lanes = lanes;
        this.looks = new PostgresLooks(bounds, due, lanes);
    }

    @Override
    public boolean areSingleStatements() {
        return true;
    }

    @Override
    public Set<JobId> insert(Session session, List<NewJob> jobs, @Nullable NotifyWithInsert ring) throws SQLException {
        Set<JobId> fresh = new HashSet<>();
        // in the order of the lanes, as every other insert of the same jobs does
        for (Map.Entry<Integer, LaneOfNew> lane : byLane(jobs).entrySet()) {
            LaneOfNew arrived = lane.getValue();
            if (!arrived.now().isEmpty()) {
                insertDue(session, lane.getKey(), arrived.now(), ring, fresh);
            }
            if (!arrived.later().isEmpty()) {
                insertLater(session, lane.getKey(), arrived.later(), fresh);
            }
        }
        return fresh;
    }

    /** New jobs of one lane. */
    private record LaneOfNew(List<NewJob> now, List<NewJob> later) {
        LaneOfNew() {
            this(new ArrayList<>(), new ArrayList<>());
        }
    }

    private Map<Integer, LaneOfNew> byLane(List<NewJob> jobs) {
        Map<Integer, LaneOfNew> byLane = new TreeMap<>();
        for (NewJob job : jobs) {
            LaneOfNew lane = byLane.computeIfAbsent(lanes.of(job.lane()), unseen -> new LaneOfNew());
            (job.due() instanceof Due.Now ? lane.now() : lane.later()).add(job);
        }
        return byLane;
    }

    private static void insertLater(Session session, int lane, List<NewJob> later, Set<JobId> fresh)
            throws SQLException {
        try (NamedStatement insert = session.statement(SqlStatement.INSERT_LATER)) {
            bodies(session, insert, later)
                    .times("due_ats", job -> job.due() instanceof Due.At at ? Rows.time(at.instant()) : null)
                    .longs("delays", job -> job.due() instanceof Due.After after ? Rows.micros(after.delay()) : null);
            insert.setInt("lane", lane);
            readIds(insert, fresh);
        }
    }

    private static void insertDue(
            Session session, int lane, List<NewJob> jobs, @Nullable NotifyWithInsert ring, Set<JobId> fresh)
            throws SQLException {
        if (jobs.size() == 1) {
            insertOne(session, lane, jobs.get(0), ring, fresh);
        } else if (PostgresBulk.insert(session, lane, jobs)) {
            jobs.forEach(job -> fresh.add(job.id()));
        } else {
            try (NamedStatement insert = session.statement(SqlStatement.INSERT)) {
                bodies(session, insert, jobs);
                insert.setInt("lane", lane);
                readIds(insert, fresh);
            }
        }
    }

    private static void insertOne(
            Session session, int lane, NewJob job, @Nullable NotifyWithInsert ring, Set<JobId> fresh)
            throws SQLException {
        try (NamedStatement insert =
                session.statement(ring == null ? SqlStatement.INSERT_ONE : SqlStatement.INSERT_ONE_RINGING)) {
            Rows.body(insert, job);
            insert.setInt("lane", lane);
            if (ring == null) {
                readIds(insert, fresh);
            } else {
                int takers = ring.isTakenHere() ? 0 : 1;
                insert.setArray("own_nodes", session.connection().createArrayOf("int8", ring.ownNodes()));
                insert.setInt("takers", takers);
                insert.setString("text", NotifyPayload.due(ring.lane(), 1, 0));
                try (ResultSet row = insert.executeQuery()) {
                    if (row.next()) {
                        fresh.add(JobId.of(Rows.uuid(row, 1)));
                        ring.answered(row.getBoolean(2));
                    }
                }
            }
        }
    }

    @Override
    public Set<JobId> keep(Session session, List<NewJob> jobs) throws SQLException {
        Set<JobId> fresh = new HashSet<>();
        try (NamedStatement insert = session.statement(SqlStatement.INSERT_BODIES)) {
            bodies(session, insert, jobs);
            readIds(insert, fresh);
        }
        return fresh;
    }

    @Override
    public KeyStatements keys() {
        return keys;
    }

    @Override
    public LeaseStatements leases() {
        return new PostgresLeases();
    }

    @Override
    public List<Lease> insertLeased(Session session, NodeId node, List<NewJob> jobs) throws SQLException {
        boolean one = jobs.size() == 1;
        try (NamedStatement insert =
                session.statement(one ? SqlStatement.INSERT_ONE_LEASED : SqlStatement.INSERT_LEASED)) {
            if (one) {
                Rows.body(insert, jobs.get(0));
            } else {
                bodies(session, insert, jobs);
            }
            insert.setLong("node", node.value());
            Map<UUID, NewJob> byId = new HashMap<>();
            jobs.forEach(job -> byId.put(job.id().value(), job));
            List<Lease> born = new ArrayList<>();
            try (ResultSet rows = insert.executeQuery()) {
                while (rows.next()) {
                    NewJob job = byId.get(Rows.uuid(rows, 1));
                    Instant now = Rows.instant(rows, 3);
                    JobState state = new JobState.Processing(now, node);
                    born.add(new Lease(
                            new Job(job.id(), job.invocation(), job.traits(), now, 1, state), rows.getLong(2)));
                }
            }
            return born;
        }
    }

    private static PostgresArrays<NewJob> bodies(Session session, NamedStatement insert, List<NewJob> jobs)
            throws SQLException {
        return new PostgresArrays<>(session, insert, jobs)
                .uuids("ids", job -> job.id().value())
                .texts("types", job -> job.invocation().type())
                .texts("methods", job -> job.invocation().method())
                .texts("arguments", job -> job.invocation().arguments())
                .shorts("priorities", NewJob::priority)
                .texts("traits", job -> TraitsText.write(job.traits()));
    }

    private static void readIds(NamedStatement insert, Set<JobId> ids) throws SQLException {
        try (ResultSet rows = insert.executeQuery()) {
            while (rows.next()) {
                ids.add(JobId.of(Rows.uuid(rows, 1)));
            }
        }
    }

    @Override
    public int promote(Session session, int max) throws SQLException {
        DueBound.Look look = due.look();
        try (NamedStatement promote = session.statement(SqlStatement.PROMOTE)) {
            promote.setObject("due_from", look.from());
            promote.setInt("max", max);
            try (ResultSet row = promote.executeQuery()) {
                row.next();
                due.looked(look, null);
                OffsetDateTime first = row.getObject(2, OffsetDateTime.class);
                if (first != null) {
                    bounds.goBackTo(first);
                }
                return row.getInt(1);
            }
        }
    }

    @Override
    public void foldTally(Session session) throws SQLException {
        tally.fold(session);
    }

    @Override
    public List<Lease> claim(Session session, NodeId node, int lane, int max) throws SQLException {
        ClaimBound bound = bounds.of(lane);
        Way way = bound.way();
        List<Lease> taken = claim(session, node, lane, max, way);
        // nothing is left behind the tail: look at what stands before it
        return taken.isEmpty() && way.kind() == ClaimBound.Kind.TAIL
                ? claim(session, node, lane, max, bound.wayBack())
                : taken;
    }

    private List<Lease> claim(Session session, NodeId node, int lane, int max, Way way) throws SQLException {
        try (NamedStatement claim = PostgresSession.prepareForManyRows(session, SqlStatement.CLAIM)) {
            new PostgresArrays<>(session, claim, way.segments())
                    .shorts("priorities", segment -> segment.from().priority())
                    .times("run_ats", PostgresLooks::runAt)
                    .uuids("job_ids", segment -> segment.from().job())
                    .shorts("last_priorities", Segment::lastPriority);
            claim.setInt("lane", lane);
            claim.setInt("max", max);
            claim.setLong("node", node.value());
            try (ResultSet rows = claim.executeQuery()) {
                return claimed(rows, node, bounds.of(lane), way, max);
            }
        }
    }

    /** Reads once what is the same in all rows: a claim has hundreds, and a time takes as long to read as all the rest. */
    private static List<Lease> claimed(ResultSet rows, NodeId node, ClaimBound bound, Way way, int max)
            throws SQLException {
        List<Lease> taken = new ArrayList<>();
        rows.next();
        OffsetDateTime now = rows.getObject(11, OffsetDateTime.class);
        long token = rows.getLong(10);
        if (rows.wasNull()) {
            bound.foundAll(way, now);
            return taken;
        }
        JobState state = new JobState.Processing(now.toInstant(), node);
        List<Integer> priorities = new ArrayList<>();
        do {
            Job job = Rows.job(rows, rows.getInt(8), state);
            Instant runAt = Rows.instantOrNull(rows, 9);
            taken.add(new Lease(job, token, runAt == null ? job.createdAt() : runAt));
            if (priorities.isEmpty() || priorities.get(priorities.size() - 1) != job.priority()) {
                priorities.add(job.priority());
            }
        } while (rows.next());
        if (taken.size() == max) {
            Lease last = taken.get(max - 1);
            OffsetDateTime runAt = last.dueSince().atOffset(ZoneOffset.UTC);
            Position end =
                    new Position(last.job().priority(), runAt, last.job().id().value());
            bound.foundMany(way, priorities, end, now);
        } else {
            priorities.forEach(bound::learn);
            bound.foundAll(way, now);
        }
        return taken;
    }

    @Override
    public NextDue nextDue(Session session) throws SQLException {
        return looks.nextDue(session);
    }

    @Override
    public PendingWork outlook(Session session, NodeId node) throws SQLException {
        return looks.outlook(session, node);
    }

    @Override
    public List<Head> heads(Session session) throws SQLException {
        return looks.heads(session);
    }

    @Override
    public Set<RunId> end(Session session, List<Transition> endings, Collection<RunId> followed) throws SQLException {
        return new PostgresEndings(session, lanes, followed).write(endings);
    }

    @Override
    public int unpark(Session session, NodeId node, String target, Array lanes, int max) throws SQLException {
        try (NamedStatement unpark = session.statement(SqlStatement.UNPARK)) {
            unpark.setString("target", target);
            unpark.setArray("lanes", lanes);
            unpark.setLong("node", node.value());
            unpark.setInt("max", max);
            return unpark.executeUpdate();
        }
    }

    @Override
    public void tellProgress(Session session, List<NotesUpdate> told) throws SQLException {
        try (NamedStatement insert = session.statement(SqlStatement.TELL_PROGRESS)) {
            new PostgresArrays<>(session, insert, told)
                    .uuids("job_ids", one -> one.run().job().value())
                    .longs("tokens", one -> one.run().token())
                    .times("times", one -> Rows.time(one.notes().at()))
                    .longs("done", one -> one.notes().done())
                    .longs("totals", one -> one.notes().total())
                    .texts("meta", one -> MetaText.write(one.notes().meta()));
            insert.executeUpdate();
        }
    }

    @Override
    public void tellLines(Session session, List<SaidLine> lines) throws SQLException {
        try (NamedStatement insert = session.statement(SqlStatement.TELL_LINE)) {
            new PostgresArrays<>(session, insert, lines)
                    .uuids("job_ids", said -> said.run().job().value())
                    .longs("tokens", said -> said.run().token())
                    .shorts("lines", said -> said.line().number())
                    .times("times", said -> Rows.time(said.line().at()))
                    .texts("texts", said -> said.line().text());
            insert.executeUpdate();
        }
    }

    @Override
    public void beat(Session session, NodeInfo node) throws SQLException {
        NodeFigures figures = node.figures();
        try (NamedStatement beat = session.statement(SqlStatement.HEARTBEAT)) {
            NodeRows.minute(beat, node.id(), figures == null ? null : figures.minute());
            NodeRows.forget(beat);
            NodeRows.beat(beat, node);
            beat.executeUpdate();
        }
    }

    @Override
    public Set<String> advance(Session session, List<Advance> advances) throws SQLException {
        return PostgresRecurring.advance(session, advances);
    }

    @Override
    public void lookFrom(Instant dueAt) {
        bounds.goBackTo(Rows.time(dueAt));
    }

    @Override
    public void lookAgain() {
        bounds.stepBack();
    }

    @Override
    public void committedLate(Instant began) {
        bounds.committedLate(Rows.time(began));
        due.committedLate(Rows.time(began));
    }

    @Override
    public TransactionAge age(Session session) throws SQLException {
        return PostgresSession.age(session);
    }
}
