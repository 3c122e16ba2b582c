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
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Writes endings: ends the leases one by one, then writes what follows for those that were still held. */
public final class PortableEndings {
    private final Session session;
    private final LaneIds lanes;
    private final Collection<RunId> followed;

    /** @param followed gets the runs of jobs that others were enqueued to run after while they ran */
    public PortableEndings(Session session, LaneIds lanes, Collection<RunId> followed) {
        this.session = session;
        this.lanes = lanes;
        this.followed = followed;
    }

    /** Writes them, and answers the leases that still held. */
    public Set<RunId> write(List<Transition> endings) throws SQLException {
        List<Transition> ended = letGo(endings.stream()
                .sorted(Comparator.comparing(ending -> ending.lease().job().id()))
                .toList());
        PortablePlaces places = new PortablePlaces(session, lanes);
        Instant now = places.now();
        for (Transition ending : ended) {
            follow(ending, places, now);
        }
        places.write();
        tell(ended, now);
        park(ended, now);
        suspend(ended);
        GatesOfEnded.cancel(
                session,
                ended.stream()
                        .filter(ending -> ending.next() == StateName.FAILED)
                        .map(Transition::job)
                        .toList());
        keepResults(ended);
        Tally tally = new Tally();
        ended.forEach(tally::of);
        tally.write(session);
        Set<RunId> keys = new HashSet<>();
        ended.forEach(ending -> keys.add(RunId.of(ending.lease())));
        return keys;
    }

    /** First those that nobody was enqueued to run after: so nearly all take no further statement. */
    private List<Transition> letGo(List<Transition> endings) throws SQLException {
        List<Transition> held = new ArrayList<>();
        List<Transition> left = new ArrayList<>();
        letGo(SqlStatement.END_UNFOLLOWED, endings, held, left);
        if (!left.isEmpty()) {
            int before = held.size();
            letGo(SqlStatement.END, left, held, new ArrayList<>());
            lookAt(held.subList(before, held.size()));
            held.sort(Comparator.comparing(Transition::job));
        }
        return held;
    }

    private void letGo(SqlStatement verb, List<Transition> endings, List<Transition> held, List<Transition> left)
            throws SQLException {
        try (NamedStatement end = session.statement(verb)) {
            for (Transition ending : endings) {
                end.setObject("job_id", ending.lease().job().id().value());
                end.setLong("token", ending.lease().token());
                end.addBatch();
            }
            int[] counts = end.executeBatch();
            for (int i = 0; i < counts.length; i++) {
                (counts[i] == 1 ? held : left).add(endings.get(i));
            }
        }
    }

    /** Has the gates of those looked at that run after these jobs. */
    private void lookAt(List<Transition> ended) throws SQLException {
        for (Transition ending : ended) {
            followed.add(RunId.of(ending.lease()));
            try (NamedStatement insert = session.statement(SqlStatement.COUNT_AT_GATE)) {
                insert.setObject("gate", ending.job().value());
                insert.setLong("ended", 0);
                insert.setLong("failed", 0);
                insert.executeUpdate();
            }
        }
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

    private void tell(List<Transition> ended, Instant now) throws SQLException {
        try (NamedStatement tell = session.statement(SqlStatement.TELL)) {
            boolean any = false;
            for (Transition ending : ended) {
                Event event = ending.event();
                if (event != null) {
                    tell.setObject("now", Rows.time(now));
                    tell(tell, ending, event);
                    any = true;
                }
            }
            if (any) {
                tell.executeBatch();
            }
        }
    }

    private static void tell(NamedStatement tell, Transition ending, Event event) throws SQLException {
        Job job = ending.lease().job();
        Failure why = ending.why();
        Long micros = Rows.micros(ending.ranFor());
        tell.setObject("job_id", job.id().value());
        tell.setLong("token", ending.lease().token());
        tell.setInt("event", event.code());
        tell.setInt("next", ending.next().code());
        tell.setInt("attempt", job.attempt());
        tell.setLong("node", ending.lease().node().value());
        tell.setObject("claimed_at", Rows.time(job.state().since()));
        tell.setObject("ran_micros", micros, Types.BIGINT);
        tell.setString("error_type", why == null ? null : why.type());
        tell.setString("error_message", why == null ? null : why.message());
        tell.setString("error_trace", why == null ? null : why.trace());
        tell.addBatch();
    }

    private void park(List<Transition> ended, Instant now) throws SQLException {
        for (Transition ending : ended) {
            if (ending.next() == StateName.PARKED) {
                Job job = ending.lease().job();
                try (NamedStatement insert = session.statement(SqlStatement.PARK)) {
                    insert.setObject("job_id", job.id().value());
                    insert.setString("target", job.invocation().target());
                    insert.setBoolean("known", ending.details().known());
                    insert.setObject("now", Rows.time(now));
                    insert.setInt("lane", lanes.of(job.traits().lane()));
                    insert.setInt("priority", job.priority());
                    insert.setInt("attempt", ending.to().attempt());
                    insert.executeUpdate();
                }
            }
        }
    }

    private void suspend(List<Transition> ended) throws SQLException {
        for (Transition ending : ended) {
            if (ending.next() == StateName.WAITING) {
                try (NamedStatement insert = session.statement(SqlStatement.WAIT)) {
                    insert.setObject("job_id", ending.job().value());
                    insert.setInt("lane", lanes.of(ending.to().traits().lane()));
                    insert.setInt("priority", ending.to().traits().priority());
                    insert.setInt("attempt", ending.to().attempt());
                    insert.executeUpdate();
                }
            }
        }
    }

    private void keepResults(List<Transition> ended) throws SQLException {
        for (Transition ending : ended) {
            if (ending.result() != null) {
                try (NamedStatement keep = session.statement(SqlStatement.KEEP_RESULT)) {
                    keep.setObject("job_id", ending.lease().job().id().value());
                    keep.setLong("token", ending.lease().token());
                    keep.setString("result", ending.result().json());
                    keep.setString("not_kept", ending.result().whyNotKept());
                    keep.executeUpdate();
                }
            }
        }
    }
}
