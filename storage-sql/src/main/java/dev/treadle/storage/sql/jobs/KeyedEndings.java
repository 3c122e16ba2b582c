package dev.treadle.storage.sql.jobs;

import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.sql.keys.BriefWait;
import dev.treadle.storage.sql.keys.KeyQueues;
import dev.treadle.storage.sql.keys.SqlKeys;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.Transactions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes down how attempts of jobs with a key ended. A key may be held by the next enqueue, for a moment, or by a
 * transaction of an application, for long; only the endings of that key are to wait. So those whose key is free are
 * written first, and then each other key is waited for, but briefly: without any wait, the endings of a key that is
 * enqueued for all the time would never find it free. Thread-safe.
 */
final class KeyedEndings {
    /** Most keys that one write waits for, one after the other. */
    private static final int WAITS_MAX = 5;
    /** After a wait that did not get the key, it is not waited for again so soon. */
    private static final long REST_NANOS = Duration.ofMillis(250).toNanos();

    private final Transactions transactions;
    private final SqlKeys keys;
    /** Keys that a wait did not get, and until when they are not waited for again. */
    private final Map<String, Long> restsUntil = new ConcurrentHashMap<>();

    KeyedEndings(Transactions transactions, SqlKeys keys) {
        this.transactions = transactions;
        this.keys = keys;
    }

    /**
     * Writes endings of different leases and answers those that still held.
     *
     * @param busy     gets the runs that were not written because another transaction holds their key
     * @param followed gets the runs of jobs that others were enqueued to run after while they ran
     */
    Set<RunId> write(List<Transition> endings, Set<RunId> busy, Collection<RunId> followed) {
        String what = "record " + endings.size() + " outcomes of jobs with a key";
        if (!transactions.areOwn()) {
            // a caller's transaction has to wait: its own end depends on the answer
            return transactions.transaction(
                    what, true, session -> told(session, endings, keys.end(session, endings, followed)));
        }
        Set<RunId> ended = new HashSet<>(transactions.transaction(what, true, session -> {
            busy.clear();
            return told(session, endings, keys.endFree(session, endings, busy, followed));
        }));
        if (!busy.isEmpty()) {
            wait(endings, busy, ended, followed);
        }
        return ended;
    }

    private void wait(List<Transition> endings, Set<RunId> busy, Set<RunId> ended, Collection<RunId> followed) {
        Map<String, List<Transition>> byKey = new LinkedHashMap<>();
        for (Transition ending : endings) {
            if (busy.contains(RunId.of(ending.lease()))) {
                byKey.computeIfAbsent(KeyQueues.line(ending), unseen -> new ArrayList<>())
                        .add(ending);
            }
        }
        long now = System.nanoTime();
        restsUntil.values().removeIf(until -> now - until >= 0);
        int waits = 0;
        for (Map.Entry<String, List<Transition>> key : byKey.entrySet()) {
            if (waits < WAITS_MAX && !restsUntil.containsKey(key.getKey())) {
                waits++;
                Set<RunId> written = wait(key.getKey(), key.getValue(), followed);
                if (written != null) {
                    key.getValue().forEach(ending -> busy.remove(RunId.of(ending.lease())));
                    ended.addAll(written);
                }
            }
        }
    }

    /** The leases that still held; null if the key is held for too long, and nothing was written. */
    private @Nullable Set<RunId> wait(String key, List<Transition> endings, Collection<RunId> followed) {
        Set<RunId> written = new HashSet<>();
        boolean inTime = transactions.transaction("record outcomes of jobs of the key " + key, true, session -> {
            Set<RunId> now = BriefWait.of(session, one -> told(one, endings, keys.end(one, endings, followed)));
            written.clear();
            written.addAll(now == null ? Set.of() : now);
            return now != null;
        });
        if (!inTime) {
            restsUntil.put(key, System.nanoTime() + REST_NANOS);
        }
        return inTime ? written : null;
    }

    private static Set<RunId> told(Session session, List<Transition> endings, Set<RunId> ended) throws SQLException {
        Batches.askLost(session, endings, ended);
        GateCounts.ended(session, endings, ended);
        return ended;
    }
}
