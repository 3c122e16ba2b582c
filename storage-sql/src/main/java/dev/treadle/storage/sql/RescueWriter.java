package dev.treadle.storage.sql;

import dev.treadle.storage.Ending;
import dev.treadle.storage.Run;
import dev.treadle.storage.WriteResult;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes the endings of orphans, as far as nobody else is writing their leases and keys. The dead node itself may be: its
 * server process holds the locks of a half-done transaction until it notices, and what it holds must hold up nothing else.
 */
final class RescueWriter {
    private final Transactions transactions;
    private final Verbs verbs;
    private final SqlKeys keys;

    RescueWriter(Transactions transactions, Verbs verbs, SqlKeys keys) {
        this.transactions = transactions;
        this.verbs = verbs;
        this.keys = keys;
    }

    /** One answer for each, in their order. */
    List<WriteResult> write(List<Ending> endings) {
        List<Ending> plain = new ArrayList<>();
        List<Ending> keyed = new ArrayList<>();
        endings.forEach(ending -> (SqlKeys.isKeyed(ending) ? keyed : plain).add(ending));
        Set<Run> written = new HashSet<>();
        written.addAll(rescue(plain, this::orphaned, verbs::end));
        written.addAll(rescue(keyed, (session, all) -> keys.free(session, orphaned(session, all)), keys::end));
        List<WriteResult> results = new ArrayList<>(endings.size());
        for (Ending ending : endings) {
            results.add(written.contains(Run.of(ending.lease())) ? WriteResult.WRITTEN : WriteResult.STALE);
        }
        return results;
    }

    private interface Step<T> {
        T of(Session session, List<Ending> endings) throws SQLException;
    }

    private Set<Run> rescue(List<Ending> endings, Step<List<Ending>> choose, Step<Set<Run>> end) {
        if (endings.isEmpty()) {
            return Set.of();
        }
        return transactions.transaction("rescue " + endings.size() + " jobs", false, session -> {
            List<Ending> free = choose.of(session, endings);
            Set<Run> ended = free.isEmpty() ? Set.of() : end.of(session, free);
            Batches.askLost(session, free, ended);
            return ended;
        });
    }

    private List<Ending> orphaned(Session session, List<Ending> endings) throws SQLException {
        Set<Run> locked = verbs.leases().lockOrphans(session, endings);
        return endings.stream()
                .filter(ending -> locked.contains(Run.of(ending.lease())))
                .toList();
    }
}
