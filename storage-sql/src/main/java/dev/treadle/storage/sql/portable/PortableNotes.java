package dev.treadle.storage.sql.portable;

import dev.treadle.storage.NotesUpdate;
import dev.treadle.storage.sql.rows.SaidLine;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.text.MetaText;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.UUID;

/** Keeps what runs tell, row by row. */
final class PortableNotes {
    private PortableNotes() {}

    static void progress(Session session, List<NotesUpdate> told) throws SQLException {
        try (NamedStatement update = session.statement(SqlStatement.TELL_PROGRESS);
                NamedStatement insert = session.statement(SqlStatement.TELL_FIRST_PROGRESS)) {
            for (NotesUpdate one : told) {
                UUID job = one.run().job().value();
                set(update, one);
                update.setObject("job_id", job);
                if (update.executeUpdate() == 0) {
                    set(insert, one);
                    insert.setObject("job_id", job);
                    insert.executeUpdate();
                }
            }
        }
    }

    private static void set(NamedStatement statement, NotesUpdate one) throws SQLException {
        statement.setLong("token", one.run().token());
        statement.setObject("at", Rows.time(one.notes().at()));
        statement.setObject("done", one.notes().done(), Types.BIGINT);
        statement.setObject("total", one.notes().total(), Types.BIGINT);
        statement.setString("meta", MetaText.write(one.notes().meta()));
    }

    static void lines(Session session, List<SaidLine> lines) throws SQLException {
        try (NamedStatement insert = session.statement(SqlStatement.TELL_LINE)) {
            for (SaidLine said : lines) {
                UUID job = said.run().job().value();
                insert.setLong("token", said.run().token());
                insert.setInt("line", said.line().number());
                insert.setObject("at", Rows.time(said.line().at()));
                insert.setString("text", said.line().text());
                insert.setObject("job_id", job);
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }
}
