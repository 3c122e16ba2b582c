package dev.treadle.storage.sql.jobs;

import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.sql.keys.SqlKeys;
import dev.treadle.storage.sql.portable.DialectStatements;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.Transactions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes the endings of orphans, as far as no other transaction is writing their leases and keys. The dead node itself
 * may be: its server process holds the locks of a half-done transaction until it notices, and what it holds must hold
 * up nothing else.
 */
public final class RescueWriter {
    private final Transactions transactions;
    private final DialectStatements verbs;
    private final SqlKeys keys;

    public RescueWriter(Transactions transactions, DialectStatements verbs, SqlKeys keys) {
        this.transactions = transactions;
        this.verbs = verbs;
        this.keys = keys;
    }

    /** One answer for each, in their order. */
    public List<WriteResult> write(List<Transition> endings) {
        List<Transition> plain = new ArrayList<>();
        List<Transition> keyed = new ArrayList<>();
        endings.forEach(ending -> (SqlKeys.isKeyed(ending) ? keyed : plain).add(ending));
        Set<RunId> written = new HashSet<>();
        written.addAll(rescue(plain, this::orphaned, verbs::end));
        written.addAll(rescue(keyed, (session, all) -> keys.free(session, orphaned(session, all)), keys::end));
        List<WriteResult> results = new ArrayList<>(endings.size());
        for (Transition ending : endings) {
            results.add(written.contains(RunId.of(ending.lease())) ? WriteResult.WRITTEN : WriteResult.STALE);
        }
        return results;
    }

    private interface Step<T> {
        T of(Session session, List<Transition> endings) throws SQLException;
    }

    private Set<RunId> rescue(List<Transition> endings, Step<List<Transition>> choose, Step<Set<RunId>> end) {
        if (endings.isEmpty()) {
            return Set.of();
        }
        return transactions.transaction("rescue " + endings.size() + " jobs", false, session -> {
            List<Transition> free = choose.of(session, endings);
            Set<RunId> ended = free.isEmpty() ? Set.of() : end.of(session, free);
            Batches.askLost(session, free, ended);
            GateCounts.ended(session, free, ended);
            return ended;
        });
    }

    private List<Transition> orphaned(Session session, List<Transition> endings) throws SQLException {
        Set<RunId> locked = verbs.leases().lockOrphans(session, endings);
        return endings.stream()
                .filter(ending -> locked.contains(RunId.of(ending.lease())))
                .toList();
    }
}
