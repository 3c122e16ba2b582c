package dev.treadle.storage.sql.rows;

import dev.treadle.job.JobId;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Where a job waits: its lane and priority, since or until when, and the attempts it has had. */
public record Place(int lane, int priority, @Nullable Instant at, UUID job, int attempt) {
    public JobId id() {
        return JobId.of(job);
    }

    public static List<Place> read(NamedStatement select) throws SQLException {
        List<Place> places = new ArrayList<>();
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                places.add(new Place(
                        rows.getInt(1), rows.getInt(2), Rows.instant(rows, 3), Rows.uuid(rows, 4), rows.getInt(5)));
            }
        }
        return places;
    }
}
