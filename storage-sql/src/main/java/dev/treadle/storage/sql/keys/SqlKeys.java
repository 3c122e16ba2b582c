package dev.treadle.storage.sql.keys;

import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.KeySlots;
import dev.treadle.lifecycle.Position;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.sql.keys.KeyQueues.Waiting;
import dev.treadle.storage.sql.portable.DialectStatements;
import dev.treadle.storage.sql.rows.LaneIds;
import dev.treadle.storage.sql.rows.NextDue;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.session.Transactions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the calls of the engine do with jobs that have a key; each in one transaction. Thread-safe. */
public final class SqlKeys {
    private final DialectStatements verbs;
    private final LaneIds lanes;

    public SqlKeys(DialectStatements verbs, LaneIds lanes) {
        this.verbs = verbs;
        this.lanes = lanes;
    }

    /** Before the transaction in which a job comes into a lane that may be new here. */
    public void know(Transactions transactions, NewJob job) {
        lanes.know(transactions, job.lane());
    }

    static boolean anyOf(Collection<NewJob> jobs) {
        return jobs.stream().anyMatch(job -> job.traits().key() != null);
    }

    public static boolean isKeyed(Transition ending) {
        return ending.lease().job().traits().key() != null;
    }

    /** Keeps jobs with and without a key, of those with the same id the first, and answers those that were not there yet. */
    public Set<JobId> insert(Session session, List<NewJob> all) throws SQLException {
        Map<JobId, NewJob> different = new LinkedHashMap<>();
        all.forEach(job -> different.putIfAbsent(job.id(), job));
        Collection<NewJob> jobs = different.values();
        Set<JobId> fresh = new HashSet<>();
        List<NewJob> plain = sorted(jobs, false);
        if (!plain.isEmpty()) {
            fresh.addAll(verbs.insert(session, plain));
        }
        if (plain.size() == jobs.size()) {
            return fresh;
        }
        Set<JobId> keyed = verbs.keep(session, sorted(jobs, true));
        fresh.addAll(keyed);
        KeyRows keys = new KeyRows(session, verbs.keys(), lanes);
        KeyQueues lines = new KeyQueues(session, keys);
        lines.place(jobs.stream().filter(job -> keyed.contains(job.id())).toList());
        keys.settle(lines.now());
        return fresh;
    }

    /** In the order of their ids, so that two who insert the same jobs do not wait for each other crosswise. */
    private static List<NewJob> sorted(Collection<NewJob> jobs, boolean keyed) {
        return jobs.stream()
                .filter(job -> (job.traits().key() != null) == keyed)
                .sorted(Comparator.comparing(NewJob::id))
                .toList();
    }

    /** Writes endings of different leases down and answers the leases that still held. Waits for keys that others hold. */
    public Set<RunId> end(Session session, List<Transition> endings) throws SQLException {
        return end(session, endings, new HashSet<>());
    }

    /**
     * The same.
     *
     * @param followed gets the runs of jobs that others were enqueued to run after while they ran
     */
    public Set<RunId> end(Session session, List<Transition> endings, Collection<RunId> followed) throws SQLException {
        KeyRows keys = new KeyRows(session, verbs.keys(), lanes);
        keys.hold(linesOf(endings));
        return end(session, keys, endings, followed);
    }

    /**
     * The same without waiting for keys.
     *
     * @param busy gets the runs whose endings were left out because another transaction is writing their key
     */
    public Set<RunId> endFree(
            Session session, List<Transition> endings, Collection<RunId> busy, Collection<RunId> followed)
            throws SQLException {
        KeyRows keys = new KeyRows(session, verbs.keys(), lanes);
        Set<String> held = keys.holdFree(linesOf(endings));
        List<Transition> free = endings;
        if (!held.isEmpty()) {
            free = new ArrayList<>();
            for (Transition ending : endings) {
                if (needsItsKey(ending) && held.contains(rule(ending).line())) {
                    busy.add(RunId.of(ending.lease()));
                } else {
                    free.add(ending);
                }
            }
        }
        return free.isEmpty() ? Set.of() : end(session, keys, free, followed);
    }

    private static TreeSet<String> linesOf(List<Transition> endings) {
        TreeSet<String> lines = new TreeSet<>();
        endings.stream()
                .filter(SqlKeys::needsItsKey)
                .forEach(ending -> lines.add(rule(ending).line()));
        return lines;
    }

    private Set<RunId> end(Session session, KeyRows keys, List<Transition> endings, Collection<RunId> followed)
            throws SQLException {
        KeyQueues moves = new KeyQueues(session, keys);
        Set<RunId> ended = verbs.end(session, endings, followed);
        for (Transition ending : endings) {
            KeyRule rule = rule(ending);
            if (ended.contains(RunId.of(ending.lease())) && ending.releasesSlot()) {
                keys.release(rule);
                waitWithoutSlot(ending, moves);
            }
        }
        keys.settle(moves.now());
        return ended;
    }

    /** Locks the keys that these endings need, and leaves out those whose key another transaction is writing. */
    public List<Transition> free(Session session, List<Transition> endings) throws SQLException {
        TreeSet<String> lines = linesOf(endings);
        Set<String> busy = lines.isEmpty() ? Set.of() : verbs.keys().busy(session, lines);
        return endings.stream()
                .filter(ending ->
                        !needsItsKey(ending) || !busy.contains(rule(ending).line()))
                .toList();
    }

    private static boolean needsItsKey(Transition ending) {
        KeyRule rule = rule(ending);
        return rule.isCounted() && ending.releasesSlot();
    }

    private static KeyRule rule(Transition ending) {
        return KeyQueues.rule(ending.lease().job().traits());
    }

    private static void waitWithoutSlot(Transition ending, KeyQueues moves) throws SQLException {
        Position to = ending.to();
        if (to.state() == StateName.SCHEDULED) {
            moves.deferWithoutSlot(ending.job(), to.traits());
        } else if (to.state() == StateName.PARKED || to.state() == StateName.WAITING) {
            moves.putAside(ending.job(), to.traits(), to.attempt());
        }
    }

    /** Moves on due jobs that have a key, and returns how many. */
    public int promote(Transactions transactions, NextDue next, int max) {
        int moved = 0;
        if (next.areKeyedDue()) {
            moved += transactions.transaction("promote jobs with a key", false, session -> promote(session, max));
        }
        if (next.areKeysWoken()) {
            moved += transactions.transaction("look at rates", false, session -> wake(session, max));
        }
        return moved;
    }

    /** Puts jobs whose time has come in their lines, and answers how many. */
    public int promote(Session session, int max) throws SQLException {
        List<Waiting> due;
        try (NamedStatement select = session.statement(SqlStatement.DUE_KEYED)) {
            select.setInt("max", max);
            due = Waiting.read(select);
        }
        return join(session, due, false);
    }

    /** Puts jobs that were parked without their slot in their lines, and answers how many. */
    public int unpark(Session session, NodeId node, String target, Set<Lane> of, int max) throws SQLException {
        List<Waiting> parked;
        try (NamedStatement select = session.statement(SqlStatement.PARKED_KEYED)) {
            select.setString("target", target);
            select.setArray("lanes", lanes.array(session, of));
            select.setLong("node", node.value());
            select.setInt("max", max);
            parked = Waiting.read(select);
        }
        return join(session, parked, true);
    }

    /** Locks the keys of these rules that no other transaction is writing or making, and answers the others. */
    public Set<String> busy(Session session, Collection<KeyRule> rules) throws SQLException {
        TreeMap<String, KeySlots> named = new TreeMap<>();
        rules.forEach(rule -> named.put(rule.line(), KeySlots.empty(rule)));
        if (named.isEmpty()) {
            return Set.of();
        }
        Set<String> busy = new HashSet<>(verbs.keys().busy(session, new TreeSet<>(named.keySet())));
        named.keySet().removeAll(busy);
        if (!named.isEmpty()) {
            busy.addAll(beingMade(session, named));
        }
        return busy;
    }

    /** Makes and locks those of the keys that are not there, and answers those that another transaction is making. */
    private Set<String> beingMade(Session session, SortedMap<String, KeySlots> named) throws SQLException {
        SortedMap<String, KeySlots> absent = new TreeMap<>(named);
        absent.keySet()
                .removeAll(verbs.keys()
                        .hold(session, new TreeSet<>(named.keySet()))
                        .keySet());
        Set<String> busy = new HashSet<>();
        if (!absent.isEmpty() && !isLocked(session, absent)) {
            for (Map.Entry<String, KeySlots> one : absent.entrySet()) {
                if (!isLocked(session, new TreeMap<>(Map.of(one.getKey(), one.getValue())))) {
                    busy.add(one.getKey());
                }
            }
        }
        return busy;
    }

    private boolean isLocked(Session session, SortedMap<String, KeySlots> keys) throws SQLException {
        return BriefWait.of(session, one -> verbs.keys().lock(one, keys, false)) != null;
    }

    private int join(Session session, List<Waiting> jobs, boolean parked) throws SQLException {
        Set<String> busy = busy(
                session, jobs.stream().map(job -> KeyQueues.rule(job.traits())).toList());
        // the others stay where they are: who holds a key for long holds up only its jobs
        List<Waiting> free = jobs.stream()
                .filter(job -> !busy.contains(KeyQueues.rule(job.traits()).line()))
                .toList();
        if (free.isEmpty()) {
            return 0;
        }
        KeyRows keys = new KeyRows(session, verbs.keys(), lanes);
        keys.lock(free.stream().map(Waiting::traits).map(KeyQueues::rule).toList(), false);
        KeyQueues lines = new KeyQueues(session, keys);
        int joined = lines.joinThoseThere(free, parked);
        keys.settle(lines.now());
        return joined;
    }

    /** Moves on jobs whose key's rate has room again, and returns how many. */
    int wake(Session session, int max) throws SQLException {
        TreeSet<String> lines = new TreeSet<>();
        try (NamedStatement select = session.statement(SqlStatement.WOKEN)) {
            select.setInt("max", max);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    lines.add(rows.getString(1));
                }
            }
        }
        if (!lines.isEmpty()) {
            lines.removeAll(verbs.keys().busy(session, lines));
        }
        KeyRows keys = new KeyRows(session, verbs.keys(), lanes);
        keys.hold(lines);
        return keys.settle(KeyQueues.now(session));
    }

    /** The keys of jobs that a person moves, locked together. */
    KeyRows lock(Session session, Collection<JobTraits> traits) throws SQLException {
        List<KeyRule> rules = new ArrayList<>();
        for (JobTraits one : traits) {
            if (one.key() != null) {
                rules.add(one.key());
            }
        }
        KeyRows keys = new KeyRows(session, verbs.keys(), lanes);
        keys.lock(rules, false);
        return keys;
    }
}
