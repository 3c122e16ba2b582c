package dev.treadle.storage.sql.portable;

import dev.treadle.job.Failure;
import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.Job;
import dev.treadle.job.JobTraits;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Transition;
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

/** Writes endings: ends the leases one by one, then writes what follows for those that were still held. */
final class PortableEndings {
    private final Session session;
    private final LaneIds lanes;

    PortableEndings(Session session, LaneIds lanes) {
        this.session = session;
        this.lanes = lanes;
    }

    Set<RunId> write(List<Transition> endings) throws SQLException {
        List<Transition> ended = letGo(endings.stream()
                .sorted(Comparator.comparing(ending -> ending.lease().job().id()))
                .toList());
        PortablePlaces places = new PortablePlaces(session, lanes);
        Instant now = places.now();
        for (Transition ending : ended) {
            follow(ending, places, now);
        }
        places.write();
        tell(ended);
        park(ended);
        keepResults(ended);
        Tally tally = new Tally();
        ended.forEach(tally::of);
        tally.write(session);
        Set<RunId> keys = new HashSet<>();
        ended.forEach(ending -> keys.add(RunId.of(ending.lease())));
        return keys;
    }

    private List<Transition> letGo(List<Transition> endings) throws SQLException {
        List<Transition> held = new ArrayList<>();
        try (PreparedStatement end = session.prepare(SqlStatement.END)) {
            for (Transition ending : endings) {
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

    private void follow(Transition ending, PortablePlaces places, Instant now) {
        JobTraits traits = ending.to().traits();
        Place place = new Place(
                lanes.of(traits.lane()),
                traits.priority(),
                ending.to().when().from(now),
                ending.job().value(),
                ending.to().attempt());
        if (ending.next() == StateName.SCHEDULED) {
            places.defer(place);
        } else if (ending.next() == StateName.ENQUEUED) {
            places.enqueue(place);
        }
    }

    private void tell(List<Transition> ended) throws SQLException {
        try (PreparedStatement tell = session.prepare(SqlStatement.TELL)) {
            boolean any = false;
            for (Transition ending : ended) {
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

    private static void tell(PreparedStatement tell, Transition ending, Event event) throws SQLException {
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

    private void park(List<Transition> ended) throws SQLException {
        for (Transition ending : ended) {
            if (ending.next() == StateName.PARKED) {
                Job job = ending.lease().job();
                try (PreparedStatement insert = session.prepare(SqlStatement.PARK)) {
                    insert.setObject(1, job.id().value());
                    insert.setString(2, job.invocation().target());
                    insert.setBoolean(3, ending.details().known());
                    insert.setInt(4, lanes.of(job.traits().lane()));
                    insert.setInt(5, job.priority());
                    insert.setInt(6, ending.to().attempt());
                    insert.executeUpdate();
                }
            }
        }
    }

    private void keepResults(List<Transition> ended) throws SQLException {
        for (Transition ending : ended) {
            if (ending.result() != null) {
                try (PreparedStatement keep = session.prepare(SqlStatement.KEEP_RESULT)) {
                    keep.setObject(1, ending.lease().job().id().value());
                    keep.setLong(2, ending.lease().token());
                    keep.setString(3, ending.result().json());
                    keep.setString(4, ending.result().whyNotKept());
                    keep.executeUpdate();
                }
            }
        }
    }
}
