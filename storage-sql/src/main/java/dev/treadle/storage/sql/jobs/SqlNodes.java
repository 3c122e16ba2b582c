package dev.treadle.storage.sql.jobs;

import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.storage.NodeBeat;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.admin.Minutes;
import dev.treadle.storage.sql.portable.DialectStatements;
import dev.treadle.storage.sql.rows.LaneIds;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.session.Transactions;
import java.sql.Array;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which nodes live, what they hold, and what they may try. */
public final class SqlNodes {
    /** Most nodes that one statement forgets. */
    private static final int FORGOTTEN_MAX = 1_000;
    /** Time between two of them while there are no more than that, in nanoseconds. */
    private static final long FORGET_EVERY_NANOS = Duration.ofMinutes(10).toNanos();

    private final Transactions transactions;
    private final Transactions beats;
    private final DialectStatements verbs;
    private final LaneIds lanes;
    private volatile long forgetNanos;

    /** @param beats for heartbeats, which wait for no other call */
    public SqlNodes(Transactions transactions, Transactions beats, DialectStatements verbs, LaneIds lanes) {
        this.transactions = transactions;
        this.beats = beats;
        this.verbs = verbs;
        this.lanes = lanes;
    }

    public void heartbeat(NodeInfo node) {
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

    public List<Lease> orphans(NodeId asker, int max) {
        return transactions.statement(
                "look for orphans", true, session -> verbs.leases().orphans(session, asker, max));
    }

    public List<Lease> leasesOf(NodeId node, Set<RunId> known) {
        return transactions.statement(
                "look for leases", true, session -> verbs.leases().of(session, node, known));
    }

    public Set<String> parkedTargets(NodeId node, Set<Lane> of) {
        return transactions.statement("look for parked jobs", true, session -> {
            Array ids = lanes.array(session, of);
            try (NamedStatement select = session.statement(SqlStatement.PARKED_TARGETS)) {
                select.setArray("lanes", ids);
                select.setLong("node", node.value());
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

    public List<NodeBeat> beats() {
        return transactions.statement("look who lives", true, session -> {
            try (NamedStatement select = session.statement(SqlStatement.BEATS);
                    ResultSet rows = select.executeQuery()) {
                List<NodeBeat> beats = new ArrayList<>();
                while (rows.next()) {
                    beats.add(new NodeBeat(
                            new NodeId(rows.getLong(1)),
                            ChronoUnit.MICROS.between(Instant.EPOCH, Rows.instant(rows, 2)),
                            Rows.duration(rows.getObject(3, Long.class))));
                }
                return beats;
            }
        });
    }

    /** See {@link StorageProvider#gone}. */
    public boolean gone(NodeId node, @Nullable NodeBeat last) {
        return transactions.statement(node + " has gone", last == null, session -> {
            try (NamedStatement gone = session.statement(last == null ? SqlStatement.LEAVE : SqlStatement.BURY)) {
                gone.setLong("node", node.value());
                if (last != null) {
                    gone.setObject("beat_at", Rows.time(Instant.EPOCH.plus(last.mark(), ChronoUnit.MICROS)));
                }
                return gone.executeUpdate() == 1;
            }
        });
    }

    /** Deletes nodes that went so long ago that nothing is kept of them: asked often, done seldom. */
    public void forgetNowAndThen() {
        long now = System.nanoTime();
        if (forgetNanos == 0 || now - forgetNanos >= 0) {
            forgetNanos = forget() == FORGOTTEN_MAX ? now : now + FORGET_EVERY_NANOS;
        }
    }

    private int forget() {
        return transactions.statement("forget nodes", true, session -> {
            try (NamedStatement forget = session.statement(SqlStatement.FORGET_NODES)) {
                forget.setObject("gone_micros", Rows.micros(Minutes.KEPT));
                forget.setInt("max", FORGOTTEN_MAX);
                return forget.executeUpdate();
            }
        });
    }
}
