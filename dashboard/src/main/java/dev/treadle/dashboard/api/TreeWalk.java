package dev.treadle.dashboard.api;

import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Gate;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.TransactionalStorage;
import dev.treadle.storage.admin.JobPage;
import dev.treadle.storage.admin.JobQuery;
import dev.treadle.storage.admin.JobSearch;
import dev.treadle.storage.admin.JobSearch.GateSeen;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What has failed or was cancelled in a job and all it is made of, the deepest first: a job that runs again before its
 * children do would find them failed once more. What is below a job that succeeded is left alone, because nobody waits for
 * it. Each step is one page of one gate.
 */
final class TreeWalk implements Finder {
    /** The states of children to act on or to look below of. */
    private static final List<StateName> LOOKED = List.of(StateName.WAITING, StateName.CANCELLED, StateName.FAILED);

    private final JobSearch search;
    private final Job root;
    /** The job that is looked at now, and above it those that it is a child of. */
    private final Deque<Level> levels = new ArrayDeque<>();

    TreeWalk(JobSearch search, Job root) {
        this.search = search;
        this.root = root;
        levels.push(new Level(root.id()));
    }

    @Override
    public @Nullable List<Job> next() {
        Level level = levels.peek();
        if (level == null) {
            return null;
        }
        JobId below = level.below.poll();
        if (below != null) {
            levels.push(new Level(below));
            return List.of();
        }
        List<Job> found = level.found;
        level.found = List.of();
        if (!found.isEmpty()) {
            return found;
        }
        if (level.look()) {
            return List.of();
        }
        levels.pop();
        return levels.isEmpty() && endedBadly(root) ? List.of(root) : List.of();
    }

    private static boolean endedBadly(Job job) {
        StateName state = job.state().name();
        return state == StateName.FAILED || state == StateName.CANCELLED;
    }

    private static boolean mayHoldFailures(Gate gate) {
        return gate.spawned() > 0 && (gate.failed() > 0 || gate.ended() < gate.spawned());
    }

    /** One job, and how far its gates were looked through. */
    private final class Level {
        private final JobId job;
        /** Gates to look through, the first one being looked at. */
        private final Deque<Gate> gates = new ArrayDeque<>();
        /** How many gates were asked for; -1 if that was all. */
        private int asked;
        /** The state that is looked for now, as a place in {@link #LOOKED}. */
        private int state;

        private @Nullable String place;
        /** Children to look below of before those that were found with them are told. */
        private final Deque<JobId> below = new ArrayDeque<>();

        private List<Job> found = List.of();

        Level(JobId job) {
            this.job = job;
        }

        /** Looks at one page more; false if there is none. */
        boolean look() {
            Gate gate = gates.peek();
            if (gate == null) {
                return asked >= 0 && askForGates();
            }
            JobPage page = search.list(
                    JobQuery.in(LOOKED.get(state)).withGate(gate.id()), place, TransactionalStorage.ACT_MAX);
            List<Job> jobs = page.lines().stream().map(JobPage.Line::job).toList();
            found = jobs.stream().filter(TreeWalk::endedBadly).toList();
            below.addAll(parents(jobs));
            place = page.next();
            if (place == null) {
                state = (state + 1) % LOOKED.size();
                if (state == 0) {
                    gates.poll();
                }
            }
            return true;
        }

        private boolean askForGates() {
            List<GateSeen> more = search.gates(List.of(job), asked, StorageProvider.BATCH_MAX);
            more.stream().map(GateSeen::gate).filter(TreeWalk::mayHoldFailures).forEach(gates::add);
            asked = more.size() < StorageProvider.BATCH_MAX ? -1 : asked + more.size();
            return true;
        }

        /** Those that are made of jobs themselves, some of them perhaps failed. */
        private Set<JobId> parents(List<Job> jobs) {
            Set<JobId> parents = new HashSet<>();
            List<JobId> ids = new ArrayList<>(jobs.stream().map(Job::id).toList());
            for (int from = 0; !ids.isEmpty(); from += StorageProvider.BATCH_MAX) {
                List<GateSeen> seen = search.gates(ids, from, StorageProvider.BATCH_MAX);
                seen.stream()
                        .map(GateSeen::gate)
                        .filter(TreeWalk::mayHoldFailures)
                        .forEach(gate -> parents.add(gate.waiter()));
                if (seen.size() < StorageProvider.BATCH_MAX) {
                    break;
                }
            }
            return parents;
        }
    }
}
