package dev.treadle.storage.sql.postgresql;

import dev.treadle.storage.sql.rows.Tally;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.LongSupplier;

/**
 * Folds the tally on PostgreSQL. It begins at the page of the row that the last fold made: as long as dead rows stay, new
 * ones come behind them. Where they were removed, new ones may come before it; so it looks at all pages as often as
 * {@link ScanPacer} allows. Thread-safe.
 */
final class TallyFold {
    private static final String FIRST = "(0,0)";

    private final LongSupplier nanoTime;
    private final ScanPacer beginnings;
    private volatile String from = FIRST;

    TallyFold(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.beginnings = new ScanPacer(nanoTime);
    }

    void fold(Session session) throws SQLException {
        boolean beginning = beginnings.isDue();
        long began = nanoTime.getAsLong();
        try (NamedStatement fold = session.statement(SqlStatement.FOLD_TALLY)) {
            fold.setString("from_place", beginning ? FIRST : from);
            fold.setInt("max", Tally.FOLD_MAX);
            try (ResultSet row = fold.executeQuery()) {
                row.next();
                String made = row.getString(2);
                if (made != null && row.getInt(1) < Tally.FOLD_MAX) {
                    from = made.substring(0, made.indexOf(',')) + ",0)";
                }
            }
        }
        if (beginning) {
            beginnings.looked(began);
        }
    }
}
