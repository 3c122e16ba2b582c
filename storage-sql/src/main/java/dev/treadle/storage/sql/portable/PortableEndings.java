package dev.treadle.storage.sql.portable;

import dev.treadle.job.Failure;
import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.Job;
import dev.treadle.job.StateName;
import dev.treadle.storage.Ending;
import dev.treadle.storage.RunId;
import dev.treadle.storage.sql.rows.LaneIds;
import dev.treadle.storage.sql.rows.Place;
import dev.treadle.storage.sql.rows.Tally;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Writes endings: lets go of the leases one by one, then writes what follows for those that still held. */
final class PortableEndings {
    private final Session session;
    private final LaneIds lanes;

    PortableEndings(Session session, LaneIds lanes) {
        this.session = session;
        this.lanes = lanes;
    }

    Set<RunId> write(List<Ending> endings) throws SQLException {
        List<Ending> ended = letGo(endings.stream()
                .sorted(Comparator.comparing(ending -> ending.lease().job().id()))
                .toList());
        PortablePlaces places = new PortablePlaces(session, lanes);
        Instant now = places.now();
        for (Ending ending : ended) {
            follow(ending, places, now);
        }
        places.write();
        tell(ended);
        park(ended);
        keepResults(ended);
        Tally tally = new Tally();
        ended.forEach(ending -> tally.from(StateName.PROCESSING, 1).into(ending.next(), 1));
        tally.write(session);
        Set<RunId> keys = new HashSet<>();
        ended.forEach(ending -> keys.add(RunId.of(ending.lease())));
        return keys;
    }

    private List<Ending> letGo(List<Ending> endings) throws SQLException {
        List<Ending> held = new ArrayList<>();
        try (PreparedStatement end = session.prepare(SqlStatement.END)) {
            for (Ending ending : endings) {
                end.setObject(1, ending.lease().job().id().value());
                end.setLong(2, ending.lease().token());
                end.addBatch();
            }
            int[] counts = end.executeBatch();
            for (int i = 0; i < counts.length; i++) {
                if (counts[i] == 1) {
                    held.add(endings.get(i));
                }
            }
        }
        return held;
    }

    private void follow(Ending ending, PortablePlaces places, Instant now) {
        Job job = ending.lease().job();
        if (ending instanceof Ending.Retry retry) {
            places.defer(new Place(
                    lanes.of(job.traits().lane()),
                    job.priority(),
                    now.plus(retry.delay()),
                    job.id().value(),
                    job.attempt()));
        } else if (ending instanceof Ending.Snooze snooze) {
            places.defer(new Place(
                    lanes.of(job.traits().lane()),
                    job.priority(),
                    now.plus(snooze.delay()),
                    job.id().value(),
                    job.attempt() - 1));
        } else if (ending instanceof Ending.GiveBack) {
            places.enqueue(new Place(
                    lanes.of(job.traits().lane()),
                    job.priority(),
                    ending.lease().dueSince(),
                    job.id().value(),
                    job.attempt() - 1));
        }
    }

    private void tell(List<Ending> ended) throws SQLException {
        try (PreparedStatement tell = session.prepare(SqlStatement.TELL)) {
            boolean any = false;
            for (Ending ending : ended) {
                Event event = ending.event();
                if (event != null) {
                    tell(tell, ending, event);
                    any = true;
                }
            }
            if (any) {
                tell.executeBatch();
            }
        }
    }

    private static void tell(PreparedStatement tell, Ending ending, Event event) throws SQLException {
        Job job = ending.lease().job();
        Failure why = ending.why();
        Long micros = Rows.micros(ending.ranFor());
        tell.setObject(1, job.id().value());
        tell.setLong(2, ending.lease().token());
        tell.setInt(3, event.code());
        tell.setInt(4, ending.next().code());
        tell.setInt(5, job.attempt());
        tell.setLong(6, ending.lease().node().value());
        tell.setObject(7, Rows.time(job.state().since()));
        tell.setObject(8, micros, Types.BIGINT);
        tell.setString(9, why == null ? null : why.type());
        tell.setString(10, why == null ? null : why.message());
        tell.setString(11, why == null ? null : why.trace());
        tell.addBatch();
    }

    private void park(List<Ending> ended) throws SQLException {
        for (Ending ending : ended) {
            if (ending instanceof Ending.Park park) {
                Job job = park.lease().job();
                try (PreparedStatement insert = session.prepare(SqlStatement.PARK)) {
                    insert.setObject(1, job.id().value());
                    insert.setString(2, job.invocation().target());
                    insert.setBoolean(3, park.known());
                    insert.setInt(4, lanes.of(job.traits().lane()));
                    insert.setInt(5, job.priority());
                    insert.setInt(6, job.attempt() - 1);
                    insert.executeUpdate();
                }
            }
        }
    }

    private void keepResults(List<Ending> ended) throws SQLException {
        for (Ending ending : ended) {
            if (ending instanceof Ending.Complete done && done.result() != null) {
                try (PreparedStatement keep = session.prepare(SqlStatement.KEEP_RESULT)) {
                    keep.setObject(1, done.lease().job().id().value());
                    keep.setLong(2, done.lease().token());
                    keep.setString(3, done.result().json());
                    keep.setString(4, done.result().whyNotKept());
                    keep.executeUpdate();
                }
            }
        }
    }
}
