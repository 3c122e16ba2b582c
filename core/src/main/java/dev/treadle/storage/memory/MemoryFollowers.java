package dev.treadle.storage.memory;

import dev.treadle.job.AfterRule;
import dev.treadle.job.Due;
import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Gate;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.NewJob;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Which jobs run after which. Guarded by the lock of its storage. */
final class MemoryFollowers {
    private final Map<JobId, Due.AfterJobs> afterJobs = new HashMap<>();
    private final Map<JobId, Set<JobId>> followers = new HashMap<>();
    /** How jobs stood that are kept no longer, as those that run after them see it. */
    private final Map<JobId, StateName> deleted = new HashMap<>();

    /**
     * Refuses jobs that are to run after others which are not there.
     *
     * @param there those that are kept
     */
    static void mustFind(List<NewJob> batch, Map<JobId, Job> there) {
        for (NewJob fresh : batch) {
            if (fresh.due() instanceof Due.AfterJobs after && !there.containsKey(fresh.id())) {
                Set<JobId> missing = after.jobs().stream()
                        .filter(id -> !there.containsKey(id))
                        .collect(Collectors.toCollection(LinkedHashSet::new));
                if (!missing.isEmpty()) {
                    throw Gate.missing(fresh.id(), missing);
                }
            }
        }
    }

    void add(JobId follower, Due.AfterJobs after) {
        afterJobs.put(follower, after);
        after.jobs()
                .forEach(id -> followers
                        .computeIfAbsent(id, unseen -> new LinkedHashSet<>())
                        .add(follower));
    }

    Set<JobId> of(JobId job) {
        return followers.getOrDefault(job, Set.of());
    }

    /** The rule under which a job runs after others; null if it runs after none. */
    @Nullable
    AfterRule rule(JobId follower) {
        Due.AfterJobs after = afterJobs.get(follower);
        return after == null ? null : after.rule();
    }

    /** How the jobs stand that one runs after. */
    Gate.Ends ends(JobId follower, Map<JobId, Job> jobs) {
        Collection<JobId> all = Objects.requireNonNull(afterJobs.get(follower)).jobs();
        Map<StateName, Long> states = new EnumMap<>(StateName.class);
        for (JobId id : all) {
            Job job = jobs.get(id);
            StateName state = job == null ? deleted.get(id) : job.state().name();
            states.merge(state == null ? StateName.CANCELLED : state, 1L, Long::sum);
        }
        return new Gate.Ends(
                all.size(),
                states.getOrDefault(StateName.SUCCEEDED, 0L),
                states.getOrDefault(StateName.FAILED, 0L),
                states.getOrDefault(StateName.CANCELLED, 0L));
    }

    /** Remembers how a job stood that somebody deletes, for those that run after it. */
    void changed(Transition change) {
        if (change.to().state() == null && followers.containsKey(change.job())) {
            StateName last = change.from().state();
            deleted.put(change.job(), last != null && last.isFinal() ? last : StateName.CANCELLED);
        }
    }

    /** Forgets what a job that is kept no longer was to run after. */
    void forget(JobId follower) {
        Due.AfterJobs after = afterJobs.remove(follower);
        if (after != null) {
            for (JobId id : after.jobs()) {
                Set<JobId> others = new HashSet<>(of(id));
                others.remove(follower);
                if (others.isEmpty()) {
                    followers.remove(id);
                    deleted.remove(id);
                } else {
                    followers.put(id, others);
                }
            }
        }
    }
}
