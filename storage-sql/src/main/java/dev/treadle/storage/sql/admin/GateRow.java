package dev.treadle.storage.sql.admin;

import dev.treadle.job.GateId;
import dev.treadle.job.JobId;
import dev.treadle.job.JoinRule;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Gate;
import dev.treadle.storage.sql.session.Rows;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A gate, and what is done about it.
 *
 * @param awaited     the rule under which its waiter waits for it if it is suspended; null if it does not
 * @param cancelledTo up to which child all are cancelled; null if they are not to be
 */
record GateRow(
        Gate gate, @Nullable JoinRule awaited, @Nullable Long cancelledTo) {
    static Gate gate(ResultSet row) throws SQLException {
        return new Gate(
                new GateId(Rows.uuid(row, 1)),
                JobId.of(Rows.uuid(row, 2)),
                row.getString(3),
                row.getLong(4),
                row.getObject(5, Long.class),
                row.getLong(6),
                row.getLong(7));
    }

    static GateRow read(ResultSet row) throws SQLException {
        String awaited = row.getString(8);
        return new GateRow(gate(row), awaited == null ? null : JoinRule.valueOf(awaited), row.getObject(9, Long.class));
    }

    /** Whether its waiter waits for it and may go on. */
    boolean resumes(@Nullable StateName waiter) {
        return waiter == StateName.WAITING && awaited != null && gate.isOpen(awaited);
    }

    /** What is to be done once it is known where its waiter stands. */
    GateRow after(@Nullable StateName waiter, Gate.Count count) {
        GateRow counted = new GateRow(gate.plus(count), awaited, cancelledTo);
        boolean decided = counted.resumes(waiter) && awaited != null && counted.gate.cancelsRest(awaited);
        return decided ? new GateRow(counted.gate, awaited, 0L) : counted;
    }

    /** Whether children are left that have to be cancelled. */
    boolean isCancelling() {
        return cancelledTo != null && cancelledTo < gate.spawned();
    }
}
