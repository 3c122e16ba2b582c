package dev.treadle.storage.sql.rows;

import dev.treadle.job.NodeId;
import dev.treadle.storage.NodeFigures;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.NodeMinute;
import dev.treadle.storage.NodeVitals;
import dev.treadle.storage.admin.Minutes;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.text.MetaText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/** A node's heartbeat and its minutes, to columns and back. */
public final class NodeRows {
    /** Minutes of any node that one heartbeat deletes when they have had their time, at most. */
    private static final int FORGOTTEN_MAX = 20;

    private NodeRows() {}

    /** A statement for a node that lives: its state, and who it is. */
    public static void beat(NamedStatement beat, NodeInfo node) throws SQLException {
        NodeFigures figures = node.figures();
        NodeVitals vitals = figures == null ? null : figures.vitals();
        beat.setObject("heap_used", vitals == null ? null : vitals.heapUsed(), Types.BIGINT);
        beat.setObject("heap_size", vitals == null ? null : vitals.heapSize(), Types.BIGINT);
        beat.setObject("heap_max", vitals == null ? null : vitals.heapMax(), Types.BIGINT);
        beat.setObject("cpu", vitals == null ? null : vitals.cpu(), Types.DOUBLE);
        beat.setObject("gc_millis", vitals == null ? null : vitals.gcMillis(), Types.BIGINT);
        beat.setObject("threads", vitals == null ? null : vitals.threads(), Types.INTEGER);
        beat.setObject("running", vitals == null ? null : vitals.running(), Types.INTEGER);
        beat.setString("facts", figures == null ? null : MetaText.write(figures.facts()));
        beat.setLong("node", node.id().value());
        beat.setString("name", node.name());
        beat.setString("executor", node.executor());
        beat.setInt("workers", node.workers());
        beat.setObject("dead_after_micros", Rows.micros(node.deadAfter()), Types.BIGINT);
    }

    /** The columns of a minute; all null if there is none. */
    public static void minute(NamedStatement write, NodeId node, @Nullable NodeMinute minute) throws SQLException {
        write.setObject("minute", minute == null ? null : Rows.time(minute.at()), Types.TIMESTAMP_WITH_TIMEZONE);
        write.setLong("node", node.value());
        write.setObject("seconds", minute == null ? null : minute.seconds(), Types.INTEGER);
        write.setObject("succeeded", minute == null ? null : minute.succeeded(), Types.BIGINT);
        write.setObject("failed", minute == null ? null : minute.failed(), Types.BIGINT);
        write.setObject("run_p50", minute == null ? null : minute.runP50(), Types.BIGINT);
        write.setObject("run_p95", minute == null ? null : minute.runP95(), Types.BIGINT);
        write.setObject("wait_p95", minute == null ? null : minute.waitP95(), Types.BIGINT);
        write.setObject("minute_running", minute == null ? null : minute.running(), Types.INTEGER);
        write.setObject("minute_heap_used", minute == null ? null : minute.heapUsed(), Types.BIGINT);
        write.setObject("minute_heap_size", minute == null ? null : minute.heapSize(), Types.BIGINT);
        write.setObject("minute_heap_max", minute == null ? null : minute.heapMax(), Types.BIGINT);
        write.setObject("minute_cpu", minute == null ? null : minute.cpu(), Types.DOUBLE);
        write.setObject("minute_threads", minute == null ? null : minute.threads(), Types.INTEGER);
    }

    /** How long minutes are kept, and how many go at once. */
    public static void forget(NamedStatement forget) throws SQLException {
        forget.setLong("kept_micros", Minutes.KEPT.toNanos() / 1_000);
        forget.setInt("forgotten_max", FORGOTTEN_MAX);
    }

    /** Reads a minute from the first column on. */
    public static NodeMinute minute(ResultSet row) throws SQLException {
        return new NodeMinute(
                Rows.instant(row, 1),
                row.getInt(2),
                row.getLong(3),
                row.getLong(4),
                row.getObject(5, Long.class),
                row.getObject(6, Long.class),
                row.getObject(7, Long.class),
                row.getInt(8),
                row.getLong(9),
                row.getLong(10),
                row.getLong(11),
                row.getDouble(12),
                row.getInt(13));
    }

    /** Reads how a node stands, from a column on; null if it did not tell. */
    public static @Nullable NodeFigures figures(ResultSet row, int from) throws SQLException {
        Long heapUsed = row.getObject(from, Long.class);
        return heapUsed == null
                ? null
                : new NodeFigures(
                        new NodeVitals(
                                heapUsed,
                                row.getLong(from + 1),
                                row.getLong(from + 2),
                                row.getDouble(from + 3),
                                row.getLong(from + 4),
                                row.getInt(from + 5),
                                row.getInt(from + 6)),
                        MetaText.read(row.getString(from + 7)),
                        null);
    }
}
