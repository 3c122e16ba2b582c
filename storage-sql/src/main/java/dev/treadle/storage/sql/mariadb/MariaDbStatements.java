package dev.treadle.storage.sql.mariadb;

import dev.treadle.storage.sql.portable.PortableStatements;
import dev.treadle.storage.sql.rows.LaneIds;
import dev.treadle.storage.sql.rows.Tally;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The portable statements, but for what MariaDB cannot say in one of them. */
public final class MariaDbStatements extends PortableStatements {
    /** Fewer at a time than elsewhere: each row is named in the statement that deletes them. */
    private static final int FOLD_MAX = 2_000;

    public MariaDbStatements(LaneIds lanes) {
        super(lanes);
    }

    /** Why three statements: what a delete returns cannot be summed up and inserted here. */
    @Override
    public void foldTally(Session session) throws SQLException {
        session.together(MariaDbStatements::fold);
    }

    private static boolean fold(Session session) throws SQLException {
        List<Long> rows = new ArrayList<>();
        Tally sum = new Tally();
        try (NamedStatement select = session.statement(SqlStatement.FOLD_TALLY)) {
            select.setInt("max", FOLD_MAX);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    rows.add(row.getLong(1));
                    sum.add(row, 2);
                }
            }
        }
        if (rows.size() < 2) {
            return false;
        }
        try (NamedStatement delete = session.statement(SqlStatement.FORGET_TALLY)) {
            delete.setArray("ids", session.connection().createArrayOf("bigint", rows.toArray()));
            delete.executeUpdate();
        }
        sum.write(session);
        return true;
    }
}
