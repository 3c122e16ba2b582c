package dev.treadle.storage.sql.rows;

import dev.treadle.storage.sql.session.Rows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What waits for its time next, by the clock of the database.
 *
 * @param plain a job that waits for its time; null if none does
 * @param keyed the same, of those that have a key and hold no slot
 * @param woken a key whose rate has room again
 */
public record NextDue(
        @Nullable Instant plain,
        @Nullable Instant keyed,
        @Nullable Instant woken,
        Instant now) {

    /** Reads the four columns from the first one on. */
    public static NextDue read(ResultSet row, int first) throws SQLException {
        return new NextDue(
                Rows.instantOrNull(row, first),
                Rows.instantOrNull(row, first + 1),
                Rows.instantOrNull(row, first + 2),
                Rows.instant(row, first + 3));
    }

    /** Whether something is due now. */
    public boolean isAnyDue() {
        return plain != null && !plain.isAfter(now) || isAnyKeyDue();
    }

    public boolean areKeyedDue() {
        return keyed != null && !keyed.isAfter(now);
    }

    public boolean areKeysWoken() {
        return woken != null && !woken.isAfter(now);
    }

    public boolean isAnyKeyDue() {
        return areKeyedDue() || areKeysWoken();
    }

    /** Zero if something is due now; null if nothing waits. */
    @Nullable
    public Duration untilNext() {
        Instant first = earlier(plain, earlier(keyed, woken));
        return first == null ? null : until(now, first);
    }

    private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.isBefore(other) ? one : other;
    }

    /** How long from now until then; nothing if it has passed. */
    static Duration until(Instant now, Instant then) {
        return then.isAfter(now) ? Duration.between(now, then) : Duration.ZERO;
    }
}
