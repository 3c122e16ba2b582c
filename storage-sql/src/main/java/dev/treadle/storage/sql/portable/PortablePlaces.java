package dev.treadle.storage.sql.portable;

import dev.treadle.job.Due;
import dev.treadle.job.StateName;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.sql.rows.LaneIds;
import dev.treadle.storage.sql.rows.Place;
import dev.treadle.storage.sql.rows.Tally;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.PreparedStatement;
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
        try (PreparedStatement select = session.prepare(SqlStatement.NOW);
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
            try (PreparedStatement insert = session.prepare(SqlStatement.ENQUEUE)) {
                for (Place place : ready) {
                    insert.setInt(1, place.lane());
                    insert.setInt(2, place.priority());
                    insert.setObject(3, Rows.time(place.at()));
                    insert.setObject(4, place.job());
                    insert.setInt(5, place.attempt());
                    insert.addBatch();
                }
                insert.executeBatch();
            }
        }
        if (!deferred.isEmpty()) {
            try (PreparedStatement insert = session.prepare(SqlStatement.DEFER)) {
                for (Place place : deferred) {
                    insert.setObject(1, place.job());
                    insert.setObject(2, Rows.time(place.at()));
                    insert.setInt(3, place.lane());
                    insert.setInt(4, place.priority());
                    insert.setInt(5, place.attempt());
                    insert.addBatch();
                }
                insert.executeBatch();
            }
        }
    }
}
