package dev.treadle.storage.sql.portable;

import dev.treadle.job.Due;
import dev.treadle.job.StateName;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.sql.rows.LaneIds;
import dev.treadle.storage.sql.rows.Place;
import dev.treadle.storage.sql.rows.Tally;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Gathers where jobs are to wait, ready or deferred, and writes that in two batches. */
final class PortablePlaces {
    private final Session session;
    private final LaneIds lanes;
    private final List<Place> ready = new ArrayList<>();
    private final List<Place> deferred = new ArrayList<>();

    PortablePlaces(Session session, LaneIds lanes) {
        this.session = session;
        this.lanes = lanes;
    }

    /** What time it is for the database. */
    Instant now() throws SQLException {
        try (NamedStatement select = session.statement(SqlStatement.NOW);
                ResultSet row = select.executeQuery()) {
            row.next();
            return Rows.instant(row, 1);
        }
    }

    void add(NewJob job, Instant now) {
        UUID id = job.id().value();
        Due due = job.due();
        Instant at = due instanceof Due.At fixed
                ? fixed.instant()
                : now.plus(due instanceof Due.After after ? after.delay() : Duration.ZERO);
        (at.isAfter(now) ? deferred : ready).add(new Place(lanes.of(job.lane()), job.priority(), at, id, 0));
    }

    void enqueue(Place place) {
        ready.add(place);
    }

    void defer(Place place) {
        deferred.add(place);
    }

    /** Says how many of them there are. */
    Tally tally() {
        return new Tally().into(StateName.ENQUEUED, ready.size()).into(StateName.SCHEDULED, deferred.size());
    }

    void write() throws SQLException {
        if (!ready.isEmpty()) {
            try (NamedStatement insert = session.statement(SqlStatement.ENQUEUE)) {
                for (Place place : ready) {
                    insert.setInt("lane", place.lane());
                    insert.setInt("priority", place.priority());
                    insert.setObject("run_at", Rows.time(place.at()));
                    insert.setObject("job_id", place.job());
                    insert.setInt("attempt", place.attempt());
                    insert.addBatch();
                }
                insert.executeBatch();
            }
        }
        if (!deferred.isEmpty()) {
            try (NamedStatement insert = session.statement(SqlStatement.DEFER)) {
                for (Place place : deferred) {
                    insert.setObject("job_id", place.job());
                    insert.setObject("due_at", Rows.time(place.at()));
                    insert.setInt("lane", place.lane());
                    insert.setInt("priority", place.priority());
                    insert.setInt("attempt", place.attempt());
                    insert.addBatch();
                }
                insert.executeBatch();
            }
        }
    }
}
