package dev.treadle.storage.sql;

import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.storage.Leased;
import dev.treadle.storage.NodeInfo;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which nodes live, what they hold, and what they may try; each call one statement. */
final class SqlNodes {
    private final Transactions transactions;
    private final Transactions beats;
    private final Verbs verbs;
    private final LaneIds lanes;

    /** @param beats for heartbeats, which wait for nobody */
    SqlNodes(Transactions transactions, Transactions beats, Verbs verbs, LaneIds lanes) {
        this.transactions = transactions;
        this.beats = beats;
        this.verbs = verbs;
        this.lanes = lanes;
    }

    void heartbeat(NodeInfo node) {
        Session.Work<Boolean> beat = session -> {
            verbs.beat(session, node);
            return true;
        };
        if (verbs.areSingleStatements()) {
            beats.statement("write a heartbeat", true, beat);
        } else {
            beats.transaction("write a heartbeat", true, beat);
        }
    }

    void leave(NodeId node) {
        transactions.statement("take leave", true, session -> {
            try (PreparedStatement leave = session.prepare(Verb.LEAVE)) {
                leave.setLong(1, node.value());
                return leave.executeUpdate();
            }
        });
    }

    List<Leased> orphans(Duration silentFor, int max) {
        return transactions.statement("look for orphans", true, session -> {
            try (PreparedStatement select = session.prepare(Verb.ORPHANS)) {
                select.setObject(1, Rows.micros(silentFor));
                select.setInt(2, max);
                try (ResultSet rows = select.executeQuery()) {
                    return Rows.allLeased(rows);
                }
            }
        });
    }

    List<Leased> leasesOf(NodeId node) {
        return transactions.statement("look for leases", true, session -> {
            try (PreparedStatement select = session.prepare(Verb.LEASES_OF)) {
                select.setLong(1, node.value());
                try (ResultSet rows = select.executeQuery()) {
                    return Rows.allLeased(rows);
                }
            }
        });
    }

    Set<String> parkedTargets(NodeId node, Set<Lane> of) {
        return transactions.statement("look for parked jobs", true, session -> {
            Array ids = lanes.array(session, of);
            try (PreparedStatement select = session.prepare(Verb.PARKED_TARGETS)) {
                select.setArray(1, ids);
                select.setLong(2, node.value());
                Set<String> targets = new HashSet<>();
                try (ResultSet rows = select.executeQuery()) {
                    while (rows.next()) {
                        targets.add(rows.getString(1));
                    }
                }
                return targets;
            }
        });
    }

    List<NodeId> bury(Duration silentFor) {
        return transactions.statement("bury silent nodes", false, session -> {
            try (PreparedStatement bury = session.prepare(Verb.BURY)) {
                bury.setObject(1, Rows.micros(silentFor));
                List<NodeId> dead = new ArrayList<>();
                try (ResultSet rows = bury.executeQuery()) {
                    while (rows.next()) {
                        dead.add(new NodeId(rows.getLong(1)));
                    }
                }
                return dead;
            }
        });
    }
}
