package dev.treadle.storage.sql.portable;

import dev.treadle.storage.NotesUpdate;
import dev.treadle.storage.sql.rows.SaidLine;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.text.MetaText;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.UUID;

/** Keeps what runs tell, row by row. */
final class PortableNotes {
    private PortableNotes() {}

    static void progress(Session session, List<NotesUpdate> told) throws SQLException {
        try (PreparedStatement update = session.prepare(SqlStatement.TELL_PROGRESS);
                PreparedStatement insert = session.prepare(SqlStatement.TELL_FIRST_PROGRESS)) {
            for (NotesUpdate one : told) {
                UUID job = one.run().job().value();
                set(update, one);
                update.setObject(6, job);
                update.setLong(7, one.run().token());
                update.setLong(8, one.run().token());
                update.setObject(9, Rows.time(one.notes().at()));
                if (update.executeUpdate() == 0) {
                    set(insert, one);
                    insert.setObject(6, job);
                    insert.setObject(7, job);
                    insert.executeUpdate();
                }
            }
        }
    }

    private static void set(PreparedStatement statement, NotesUpdate one) throws SQLException {
        statement.setLong(1, one.run().token());
        statement.setObject(2, Rows.time(one.notes().at()));
        statement.setObject(3, one.notes().done(), Types.BIGINT);
        statement.setObject(4, one.notes().total(), Types.BIGINT);
        statement.setString(5, MetaText.write(one.notes().meta()));
    }

    static void lines(Session session, List<SaidLine> lines) throws SQLException {
        try (PreparedStatement insert = session.prepare(SqlStatement.TELL_LINE)) {
            for (SaidLine said : lines) {
                UUID job = said.run().job().value();
                insert.setLong(1, said.run().token());
                insert.setInt(2, said.line().number());
                insert.setObject(3, Rows.time(said.line().at()));
                insert.setString(4, said.line().text());
                insert.setObject(5, job);
                insert.setObject(6, job);
                insert.setLong(7, said.run().token());
                insert.setInt(8, said.line().number());
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }
}
