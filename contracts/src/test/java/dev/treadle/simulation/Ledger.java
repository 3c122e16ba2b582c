package dev.treadle.simulation;

import dev.treadle.job.Due;
import dev.treadle.job.JobId;
import dev.treadle.job.JobState;
import dev.treadle.job.JobStory;
import dev.treadle.job.NodeId;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Lease;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.admin.AdminStorage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What must be in the storage, worked out independently, and compared with all of it after every write. */
final class Ledger {
    private final Notes notes;
    private final SimTime time;
    private final RetryPolicy usual;
    private final Map<JobId, JobTrack> tracks = new LinkedHashMap<>();
    /** Deleted long after their end; some run may still remember them. */
    private final Map<JobId, JobTrack> deleted = new LinkedHashMap<>();

    /** Every node that ever got a lease. */
    private final Set<NodeId> nodes = new LinkedHashSet<>();

    private int inserted;

    /** @param usual the retry policy of jobs that have none of their own */
    Ledger(Notes notes, SimTime time, RetryPolicy usual) {
        this.notes = notes;
        this.time = time;
        this.usual = usual;
    }

    Collection<JobTrack> all() {
        return tracks.values();
    }

    List<JobTrack> in(StateName state) {
        List<JobTrack> found = new ArrayList<>();
        for (JobTrack track : tracks.values()) {
            if (track.state == state) {
                found.add(track);
            }
        }
        return found;
    }

    @Nullable
    JobTrack find(JobId id) {
        return tracks.get(id);
    }

    JobTrack track(JobId id) {
        JobTrack track = tracks.getOrDefault(id, deleted.get(id));
        if (track == null) {
            throw notes.broken(Invariant.EVERY_JOB_IS_IN_ONE_PLACE, "no node ever inserted " + id);
        }
        return track;
    }

    String nameOf(JobId id) {
        JobTrack track = tracks.get(id);
        return track == null ? "new" : track.name;
    }

    void inserted(NewJob job) {
        Instant now = time.instant();
        Instant dueAt = job.due() instanceof Due.At at
                ? at.instant()
                : job.due() instanceof Due.After after ? now.plus(after.delay()) : now;
        RetryPolicy policy =
                job.traits().retries() == null ? usual : job.traits().retries();
        StateName state = dueAt.isAfter(now) ? StateName.SCHEDULED : StateName.ENQUEUED;
        JobTrack track = new JobTrack(job, "j" + ++inserted, policy.attempts(), state);
        track.dueAt = dueAt;
        track.touched = Invariant.NOTHING_ACKNOWLEDGED_IS_LOST;
        tracks.put(job.id(), track);
        JobTrack before = deleted.remove(job.id());
        if (before != null) {
            track.remember(before);
        }
    }

    /** A node got a lease. */
    void leasedTo(NodeId node) {
        nodes.add(node);
    }

    /** It is not kept any more. */
    void deleted(JobTrack track) {
        tracks.remove(track.id);
        deleted.put(track.id, track);
    }

    boolean isDeleted(JobTrack track) {
        return deleted.containsKey(track.id);
    }

    /** A caller was told that these jobs are stored. */
    void acknowledged(Collection<JobId> ids) {
        for (JobId id : ids) {
            boolean kept = tracks.containsKey(id) || deleted.containsKey(id);
            notes.demand(kept, Invariant.NOTHING_ACKNOWLEDGED_IS_LOST, () -> id + " was never kept");
            track(id).acknowledged = true;
        }
    }

    /** Compares everything with the storage. */
    void compare(StorageProvider storage) {
        Map<JobId, StateName> found = storage.queries().states(tracks.keySet());
        for (JobTrack track : tracks.values()) {
            StateName state = found.get(track.id);
            if (state != track.state) {
                throw notes.broken(blame(track, state), "expected " + track + " and found " + state);
            }
            if (track.touched != null) {
                compareStory(track, storage.queries().find(track.id).orElseThrow());
                track.touched = null;
            }
        }
        compareCounts(storage);
        compareLeases(storage);
    }

    private void compareCounts(StorageProvider storage) {
        AdminStorage.of(storage)
                .search()
                .counts()
                .forEach((state, count) -> notes.demand(
                        count == in(state).size(),
                        Invariant.EVERY_JOB_IS_IN_ONE_PLACE,
                        () -> count + " jobs are said to be " + state + ", and these are: " + in(state)));
    }

    private static Invariant blame(JobTrack expected, @Nullable StateName found) {
        if (found == null) {
            return Invariant.NOTHING_ACKNOWLEDGED_IS_LOST;
        }
        if (expected.touched != null) {
            return expected.touched;
        }
        if (expected.state == StateName.SUCCEEDED) {
            return Invariant.NO_CLAIM_AFTER_SUCCESS;
        }
        if (expected.state == StateName.SCHEDULED && found == StateName.ENQUEUED) {
            return Invariant.NOTHING_RUNS_BEFORE_ITS_TIME;
        }
        return Invariant.ONLY_LEGAL_MOVES;
    }

    private void compareStory(JobTrack track, JobStory story) {
        notes.demand(
                story.job().attempt() == track.attempt && track.attempt <= track.attemptsMax,
                Invariant.ATTEMPTS_STAY_WITHIN_BOUNDS,
                () -> "expected " + track + " and found attempt " + story.job().attempt());
        int rows = story.history().size();
        notes.demand(
                rows == track.rows
                        && (rows == 0 || story.history().get(rows - 1).event() == track.lastEvent),
                Invariant.ONE_HISTORY_ROW_FOR_EACH_ENDING,
                () -> "expected " + track.rows + " rows up to " + track.lastEvent + " of " + track + " and found "
                        + story.history());
        if (story.job().state() instanceof JobState.Scheduled scheduled) {
            track.dueAt = scheduled.dueAt();
        }
    }

    private void compareLeases(StorageProvider storage) {
        List<Lease> leases =
                nodes.stream().flatMap(node -> storage.leasesOf(node).stream()).toList();
        for (Lease lease : leases) {
            JobTrack track = track(lease.job().id());
            notes.demand(
                    track.state == StateName.PROCESSING && track.token == lease.token(),
                    Invariant.EVERY_JOB_IS_IN_ONE_PLACE,
                    () -> track + " has the lease " + lease.token());
        }
        int processing = 0;
        for (JobTrack track : tracks.values()) {
            processing += track.state == StateName.PROCESSING ? 1 : 0;
        }
        notes.demand(
                leases.size() == processing,
                Invariant.EVERY_JOB_IS_IN_ONE_PLACE,
                () -> "Processing are " + in(StateName.PROCESSING) + " and the leases are " + leases);
    }
}
