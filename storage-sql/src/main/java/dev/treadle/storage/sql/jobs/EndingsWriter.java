package dev.treadle.storage.sql.jobs;

import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.sql.keys.SqlKeys;
import dev.treadle.storage.sql.portable.DialectStatements;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.session.Transactions;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes down how attempts ended: those of jobs without a key by themselves, so that they wait for no key. */
public final class EndingsWriter {
    private final Transactions transactions;
    private final DialectStatements verbs;
    private final KeyedEndings keyedEndings;

    public EndingsWriter(Transactions transactions, DialectStatements verbs, SqlKeys keys) {
        this.transactions = transactions;
        this.verbs = verbs;
        this.keyedEndings = new KeyedEndings(transactions, keys);
    }

    /** One answer for each, in their order. */
    public List<WriteResult> write(List<Transition> endings) {
        Set<RunId> busy = new HashSet<>();
        Set<RunId> followed = new HashSet<>();
        Set<RunId> ended = end(endings, busy, followed);
        if (ended.size() == endings.size() && followed.isEmpty()) {
            return Collections.nCopies(endings.size(), WriteResult.WRITTEN);
        }
        Set<RunId> unanswered = new HashSet<>(ended);
        if (ended.size() < endings.size()) {
            unanswered.addAll(endAgain(endings, ended, busy, followed));
        }
        List<WriteResult> results = new ArrayList<>();
        for (Transition ending : endings) {
            RunId run = RunId.of(ending.lease());
            if (busy.contains(run)) {
                results.add(WriteResult.BUSY);
                continue;
            }
            // removed, so that of two endings of one lease in one batch only the first is answered by it
            boolean now = unanswered.remove(run);
            WriteResult written = followed.contains(run) ? WriteResult.FOLLOWED : WriteResult.WRITTEN;
            results.add(now || wasRecorded(ending) ? written : WriteResult.STALE);
        }
        return results;
    }

    /**
     * PostgreSQL does not find a lease again that another transaction has marked as followed while the statement waited for
     * it. So what was not written is tried once more: a lease is marked once, and those that are gone cost no more than this.
     */
    private Set<RunId> endAgain(
            List<Transition> endings, Set<RunId> ended, Set<RunId> busy, Collection<RunId> followed) {
        List<Transition> missed = endings.stream()
                .filter(ending -> !ended.contains(RunId.of(ending.lease())) && !busy.contains(RunId.of(ending.lease())))
                .toList();
        return missed.isEmpty() ? Set.of() : end(missed, busy, followed);
    }

    private Set<RunId> end(List<Transition> endings, Set<RunId> busy, Collection<RunId> followed) {
        return endings.stream().anyMatch(SqlKeys::isKeyed)
                ? endWithKeys(endings, busy, followed)
                : end(endings, followed);
    }

    private Set<RunId> end(List<Transition> endings, Collection<RunId> followed) {
        boolean mixed = !endings.isEmpty() && Batches.isMixedRecord(endings);
        boolean gated = GateCounts.anyOf(endings);
        String what = "record " + endings.size() + " outcomes";
        Session.Work<Set<RunId>> work = session -> {
            Set<RunId> written = verbs.end(session, endings, followed);
            if (mixed) {
                Batches.askLost(session, endings, written);
            }
            if (gated) {
                GateCounts.ended(session, endings, written);
            }
            return written;
        };
        return transactions.run(what, true, mixed || gated || !verbs.areSingleStatements(), work);
    }

    /** @param busy gets the runs that were not written because another transaction is writing their key */
    private Set<RunId> endWithKeys(List<Transition> endings, Set<RunId> busy, Collection<RunId> followed) {
        List<Transition> plain =
                endings.stream().filter(ending -> !SqlKeys.isKeyed(ending)).toList();
        Set<RunId> ended = new HashSet<>(plain.isEmpty() ? Set.of() : end(plain, followed));
        // of two endings of one lease only the first is written
        Map<RunId, Transition> keyed = new LinkedHashMap<>();
        endings.stream()
                .filter(SqlKeys::isKeyed)
                .forEach(ending -> keyed.putIfAbsent(RunId.of(ending.lease()), ending));
        if (!keyed.isEmpty()) {
            ended.addAll(keyedEndings.write(List.copyOf(keyed.values()), busy, followed));
        }
        return ended;
    }

    private boolean wasRecorded(Transition ending) {
        RunId key = RunId.of(ending.lease());
        return transactions.statement("look for an outcome", true, session -> {
            try (NamedStatement select = session.statement(SqlStatement.RECORDED)) {
                select.setObject("job_id", key.job().value());
                select.setLong("token", key.token());
                try (ResultSet row = select.executeQuery()) {
                    return row.next()
                            && ending.event() != null
                            && row.getInt(1) == ending.event().code();
                }
            }
        });
    }
}
