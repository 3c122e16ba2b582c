package dev.treadle.storage.sql.rows;

import dev.treadle.job.Lane;
import dev.treadle.storage.PendingWork;
import dev.treadle.storage.PendingWork.Head;
import dev.treadle.storage.PendingWork.LaneState;
import dev.treadle.storage.sql.session.Rows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The answer to the question of the {@link PendingWork}: a row for each lane, and in each the same about all else.
 *
 * @param due        what waits for its time
 * @param priorities of the first job of each lane, by its number; null where there is none. Without those of paused queues
 */
public record PendingWorkRows(NextDue due, Map<Integer, @Nullable Integer> priorities, PendingWork outlook) {

    public static PendingWorkRows read(ResultSet rows, LaneIds numbers) throws SQLException {
        NextDue due = null;
        Instant slot = null;
        boolean awaits = false;
        boolean stops = false;
        boolean gates = false;
        List<LaneState> lanes = new ArrayList<>();
        List<Head> heads = new ArrayList<>();
        Map<Integer, @Nullable Integer> priorities = new HashMap<>();
        while (rows.next()) {
            if (due == null) {
                due = NextDue.read(rows, 1);
                slot = Rows.instantOrNull(rows, 5);
                awaits = rows.getBoolean(6);
                stops = rows.getBoolean(7);
                gates = rows.getBoolean(8);
            }
            Lane lane = numbers.read(rows, 9);
            boolean paused = rows.getBoolean(12);
            lanes.add(new LaneState(lane, paused));
            Instant since = Rows.instantOrNull(rows, 14);
            if (since != null) {
                heads.add(new Head(lane, rows.getInt(13), since));
                priorities.put(rows.getInt(9), rows.getInt(13));
            } else if (!paused) {
                priorities.put(rows.getInt(9), null);
            }
        }
        // there is always the usual lane
        NextDue next = Objects.requireNonNull(due, "no lanes");
        PendingWork outlook = new PendingWork(
                next.now(),
                lanes,
                heads,
                next.untilNext(),
                slot == null ? null : NextDue.until(next.now(), slot),
                awaits,
                stops,
                gates);
        return new PendingWorkRows(next, priorities, outlook);
    }

    /** The same with heads that were looked for again. */
    public PendingWork with(List<Head> heads) {
        return new PendingWork(
                outlook.now(),
                outlook.lanes(),
                heads,
                outlook.untilDue(),
                outlook.untilSlot(),
                outlook.awaits(),
                outlook.stops(),
                outlook.gates());
    }
}
