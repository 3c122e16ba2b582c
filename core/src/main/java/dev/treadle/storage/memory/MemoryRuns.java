package dev.treadle.storage.memory;

import dev.treadle.job.JobId;
import dev.treadle.job.JobResult;
import dev.treadle.job.JobStep;
import dev.treadle.job.NodeId;
import dev.treadle.job.RunNotes;
import dev.treadle.job.RunNotes.LogLine;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.StopRequest;
import dev.treadle.storage.NotesPage;
import dev.treadle.storage.NotesUpdate;
import dev.treadle.storage.RunStorage;
import dev.treadle.storage.RunStorage.NewStep;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What belongs to single runs. Guarded by the lock of its storage. */
final class MemoryRuns {
    private final InstantSource time;
    private final Map<RunId, Asked> stops = new LinkedHashMap<>();
    private final Map<JobId, TreeMap<Long, Page>> pages = new HashMap<>();
    private final Map<JobId, Result> results = new HashMap<>();
    private final Map<JobId, LinkedHashMap<String, JobStep>> steps = new HashMap<>();

    MemoryRuns(InstantSource time) {
        this.time = time;
    }

    /** A lease is taken from a run that may still go on. */
    void ask(Lease held) {
        stops.putIfAbsent(RunId.of(held), new Asked(held.node(), time.instant()));
    }

    List<StopRequest> stopRequests(Predicate<NodeId> of) {
        Instant now = time.instant();
        return stops.entrySet().stream()
                .filter(stop -> of.test(stop.getValue().node))
                .limit(RunStorage.RUNS_MAX)
                .map(stop -> new StopRequest(
                        stop.getKey(),
                        stop.getValue().node,
                        stop.getValue().at,
                        Duration.between(stop.getValue().at, now)))
                .toList();
    }

    boolean ended(Collection<RunId> runs) {
        return stops.keySet().removeAll(runs);
    }

    void forget(Predicate<NodeId> gone) {
        stops.values().removeIf(asked -> gone.test(asked.node));
    }

    void returned(RunId run, @Nullable JobResult result) {
        if (result != null) {
            results.put(run.job(), new Result(run.token(), result));
        }
    }

    void tell(NotesUpdate told) {
        Page page = pages.computeIfAbsent(told.run().job(), id -> new TreeMap<>())
                .computeIfAbsent(told.run().token(), token -> new Page());
        if (page.notes == null || !told.notes().at().isBefore(page.notes.at())) {
            page.notes = told.notes();
        }
        told.notes().log().forEach(line -> page.lines.putIfAbsent(line.number(), line));
    }

    Optional<NotesPage> notes(JobId id, NotesPage.@Nullable Place after, int max) {
        TreeMap<Long, Page> ofJob = pages.get(id);
        RunNotes last = ofJob == null ? null : ofJob.lastEntry().getValue().notes;
        if (ofJob == null || last == null) {
            return Optional.empty();
        }
        List<NotesPage.Said> all = new ArrayList<>();
        ofJob.forEach((token, page) -> page.lines.forEach((number, line) -> {
            NotesPage.Place place = new NotesPage.Place(token, number);
            if (after == null || place.compareTo(after) > 0) {
                all.add(new NotesPage.Said(place, line));
            }
        }));
        boolean more = all.size() > max;
        int from = more && after == null ? all.size() - max : 0;
        return Optional.of(new NotesPage(
                new RunNotes(last.at(), last.done(), last.total(), last.meta(), List.of()),
                all.subList(from, more ? from + max : all.size()),
                more));
    }

    /** What the run that a token names returned; null if nothing. */
    @Nullable
    JobResult resultOf(JobId id, long token) {
        Result result = results.get(id);
        return result != null && result.token == token ? result.result : null;
    }

    /** Its steps by name, in the order in which they were recorded. */
    Map<String, JobStep> steps(JobId id) {
        return steps.getOrDefault(id, new LinkedHashMap<>());
    }

    void recorded(Lease held, NewStep step) {
        int attempt = held.job().attempt();
        steps.computeIfAbsent(held.job().id(), unseen -> new LinkedHashMap<>())
                .put(
                        step.name(),
                        new JobStep(step.name(), attempt, time.instant(), step.took(), step.result(), step.secrets()));
    }

    void forgetSteps(JobId id) {
        steps.remove(id);
    }

    /** Forgets all of a job. */
    void delete(JobId id) {
        pages.remove(id);
        results.remove(id);
        forgetSteps(id);
    }

    private record Asked(NodeId node, Instant at) {}

    private record Result(long token, JobResult result) {}

    /** What one run told. */
    private static final class Page {
        private final TreeMap<Integer, LogLine> lines = new TreeMap<>();
        private @Nullable RunNotes notes;
    }
}
