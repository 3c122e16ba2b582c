package dev.treadle.storage.sql;

import dev.treadle.storage.Ending;
import dev.treadle.storage.WriteResult;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes down how attempts ended: those of jobs without a key by themselves, so that they wait for nobody's key. */
final class EndingsWriter {
    private final Transactions transactions;
    private final Verbs verbs;
    private final SqlKeys keys;

    EndingsWriter(Transactions transactions, Verbs verbs, SqlKeys keys) {
        this.transactions = transactions;
        this.verbs = verbs;
        this.keys = keys;
    }

    /** One answer for each, in their order. */
    List<WriteResult> write(List<Ending> endings) {
        Set<LeaseKey> ended = endings.stream().anyMatch(SqlKeys::isKeyed) ? endWithKeys(endings) : end(endings);
        if (ended.size() == endings.size()) {
            return Collections.nCopies(endings.size(), WriteResult.WRITTEN);
        }
        Set<LeaseKey> unanswered = new HashSet<>(ended);
        List<WriteResult> results = new ArrayList<>();
        for (Ending ending : endings) {
            // removed, so that of two endings of one lease in one batch only the first is answered by it
            boolean now = unanswered.remove(LeaseKey.of(ending.lease()));
            results.add(now || wasRecorded(ending) ? WriteResult.WRITTEN : WriteResult.STALE);
        }
        return results;
    }

    private Set<LeaseKey> end(List<Ending> endings) {
        boolean mixed = endings.stream().map(Ending::getClass).distinct().count() > 1;
        String what = "record " + endings.size() + " outcomes";
        return mixed || !verbs.areSingleStatements()
                ? transactions.transaction(what, true, session -> verbs.end(session, endings))
                : transactions.statement(what, true, session -> verbs.end(session, endings));
    }

    private Set<LeaseKey> endWithKeys(List<Ending> endings) {
        List<Ending> plain =
                endings.stream().filter(ending -> !SqlKeys.isKeyed(ending)).toList();
        Set<LeaseKey> ended = new HashSet<>(plain.isEmpty() ? Set.of() : end(plain));
        // of two endings of one lease only the first is written
        Map<LeaseKey, Ending> keyed = new LinkedHashMap<>();
        endings.stream()
                .filter(SqlKeys::isKeyed)
                .forEach(ending -> keyed.putIfAbsent(LeaseKey.of(ending.lease()), ending));
        ended.addAll(transactions.transaction(
                "record " + keyed.size() + " outcomes of jobs with a key",
                true,
                session -> keys.end(session, List.copyOf(keyed.values()))));
        return ended;
    }

    private boolean wasRecorded(Ending ending) {
        LeaseKey key = LeaseKey.of(ending.lease());
        return transactions.statement("look for an outcome", true, session -> {
            try (PreparedStatement select = session.prepare(Verb.RECORDED)) {
                select.setObject(1, key.job());
                select.setLong(2, key.token());
                try (ResultSet row = select.executeQuery()) {
                    return row.next()
                            && ending.event() != null
                            && row.getInt(1) == ending.event().code();
                }
            }
        });
    }
}
