package dev.treadle.storage.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A ring that is part of the statement which keeps a job, so that it is heard with the commit. Used by one thread. */
final class NotifyWithInsert {
    private final Object[] ownNodes;
    private final int lane;
    private final boolean isTakenHere;
    private @Nullable Boolean heard;

    /**
     * @param ownNodes    those for which nobody has to ring
     * @param isTakenHere whether one of those takes the job, so that others only have to look whether it did
     */
    NotifyWithInsert(Object[] ownNodes, int lane, boolean isTakenHere) {
        this.ownNodes = ownNodes;
        this.lane = lane;
        this.isTakenHere = isTakenHere;
    }

    int lane() {
        return lane;
    }

    void bind(PreparedStatement insert, int parameter, Connection connection) throws SQLException {
        insert.setArray(parameter, connection.createArrayOf("int8", ownNodes));
        int takers = isTakenHere ? 0 : 1;
        insert.setInt(parameter + 1, takers);
        insert.setInt(parameter + 2, takers);
        insert.setString(parameter + 3, NotifyPayload.due(lane, 1, 0));
    }

    void read(ResultSet row, int column) throws SQLException {
        heard = row.getBoolean(column);
    }

    /** Whether there was a node of another process; null if no job was kept, so that there was nothing to ring for. */
    @Nullable
    Boolean heard() {
        return heard;
    }
}
