package dev.treadle.simulation;

import dev.treadle.job.JobId;
import dev.treadle.job.JobState;
import dev.treadle.job.KeyRule;
import dev.treadle.job.NodeId;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Lease;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageProvider;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What must hold of jobs with a key, worked out without lines and slots. */
final class KeyCheck {
    private static final NodeId PROBE = new NodeId(Long.MAX_VALUE);

    private final StorageProvider storage;
    private final Ledger ledger;
    private final Notes notes;
    /** When each job last came to the end of its line; those that came by one call in unknown order share a number. */
    private final Map<JobId, Long> places = new HashMap<>();
    /** The job of each mailbox that was leased and has not let go of it. */
    private final Map<String, JobTrack> holders = new HashMap<>();

    private long lastPlace;

    KeyCheck(StorageProvider storage, Ledger ledger, Notes notes) {
        this.storage = storage;
        this.ledger = ledger;
        this.notes = notes;
    }

    void inserted(JobTrack track) {
        if (rule(track) != null && track.state == StateName.ENQUEUED) {
            places.put(track.id, ++lastPlace);
        }
    }

    /** Their time came; those of a mailbox that hold it have kept their place. */
    void promoted(List<JobTrack> due) {
        due.stream()
                .filter(track -> rule(track) != null && holders.get(rule(track).line()) != track)
                .sorted(Comparator.comparing((JobTrack track) -> track.dueAt).thenComparing(track -> track.id))
                .forEach(track -> places.put(track.id, ++lastPlace));
    }

    /** An operator brought them back. */
    void cameBack(List<JobTrack> tracks) {
        lastPlace++;
        for (JobTrack track : tracks) {
            if (rule(track) != null && holders.get(rule(track).line()) != track) {
                places.put(track.id, lastPlace);
            }
        }
    }

    void claimed(JobTrack track) {
        KeyRule rule = rule(track);
        if (rule == null || !rule.isCounted()) {
            return;
        }
        List<JobTrack> mates = mates(rule);
        long leased = mates.stream()
                .filter(mate -> mate.state == StateName.PROCESSING)
                .count();
        notes.demand(
                leased <= rule.atMost(),
                Invariant.A_KEY_LEASES_NO_MORE_THAN_IT_MAY,
                () -> leased + " of " + rule + " are leased, the last is " + track);
        if (rule instanceof KeyRule.Mailbox) {
            JobTrack holder = holders.get(rule.line());
            notes.demand(
                    holder == null || holder == track,
                    Invariant.A_MAILBOX_KEEPS_ITS_ORDER,
                    () -> track + " was claimed while " + holder + " holds " + rule);
            if (holder == null) {
                demandFirst(track, rule, mates);
            }
            holders.put(rule.line(), track);
        }
    }

    private void demandFirst(JobTrack track, KeyRule rule, List<JobTrack> mates) {
        long place = places.get(track.id);
        for (JobTrack mate : mates) {
            notes.demand(
                    mate.state != StateName.ENQUEUED || places.get(mate.id) >= place,
                    Invariant.A_MAILBOX_KEEPS_ITS_ORDER,
                    () -> track + " was claimed before " + mate + " in " + rule);
        }
        if (mates.stream().anyMatch(mate -> mate.state == StateName.ENQUEUED)) {
            notes.reached(Sometimes.WAITED_FOR_ITS_KEY);
        }
    }

    /** A job has ended, or goes to wait; it may have let go of its key. */
    void moved(JobTrack track) {
        KeyRule rule = rule(track);
        boolean waits = track.state == StateName.SCHEDULED
                || track.state == StateName.PARKED
                || track.state == StateName.WAITING;
        if (rule != null && (track.state.isFinal() || waits && !rule.isHeldThroughout())) {
            holders.remove(rule.line(), track);
        } else if (rule != null && waits && holders.get(rule.line()) == track) {
            notes.reached(Sometimes.HELD_ITS_KEY_WHILE_IT_WAITED);
        }
    }

    /** Whether a job waits for one that may wait for ever. */
    boolean isBehind(JobTrack track, Predicate<JobTrack> mayStay) {
        KeyRule rule = rule(track);
        if (rule == null || !rule.isCounted() || track.state != StateName.ENQUEUED) {
            return false;
        }
        JobTrack holder = holders.get(rule.line());
        // a job in a queue that no node serves holds its slot there
        long blockers = mates(rule).stream()
                .filter(mate -> mate != track && (mate == holder || mate.state == StateName.ENQUEUED))
                .filter(mayStay)
                .count();
        return blockers >= rule.atMost() && isInLine(track);
    }

    private boolean isInLine(JobTrack track) {
        return storage.queries().find(track.id).orElseThrow().job().state() instanceof JobState.Enqueued enqueued
                && enqueued.waitsFor() != null;
    }

    /** When nothing is leased and nothing of a key is enqueued, as many of each key can be claimed as ever. */
    void demandNoSlotIsLost(StorageProvider storage, BiFunction<KeyRule, Integer, List<NewJob>> make) {
        Map<String, KeyRule> rules = new TreeMap<>();
        for (JobTrack track : ledger.all()) {
            KeyRule rule = rule(track);
            if (rule != null && rule.isCounted() && !holders.containsKey(rule.line())) {
                rules.put(rule.line(), rule);
            }
        }
        rules.values().removeIf(rule -> mates(rule).stream().anyMatch(mate -> mate.state == StateName.ENQUEUED));
        for (KeyRule rule : rules.values()) {
            List<NewJob> probes = make.apply(rule, rule.atMost() + 1);
            storage.insert(probes);
            Set<JobId> mine = probes.stream().map(NewJob::id).collect(Collectors.toSet());
            // others may be due too, in a queue that no node serves
            List<Lease> taken = storage.claim(PROBE, StorageProvider.BATCH_MAX).stream()
                    .filter(lease -> mine.contains(lease.job().id()))
                    .toList();
            notes.demand(
                    taken.size() == rule.atMost(),
                    Invariant.NO_SLOT_IS_LOST,
                    () -> taken.size() + " of " + rule + " could be claimed in the end");
        }
    }

    private List<JobTrack> mates(KeyRule rule) {
        List<JobTrack> mates = new ArrayList<>();
        for (JobTrack track : ledger.all()) {
            KeyRule other = rule(track);
            if (other != null && other.line().equals(rule.line())) {
                mates.add(track);
            }
        }
        return mates;
    }

    private static @Nullable KeyRule rule(JobTrack track) {
        return track.inserted.traits().key();
    }
}
