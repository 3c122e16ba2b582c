package dev.treadle.dashboard.api;

import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.JobResult;
import dev.treadle.job.JobState;
import dev.treadle.job.KeyRule;
import dev.treadle.job.RunNotes;
import dev.treadle.storage.Ended;
import dev.treadle.storage.RunStorage;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What belongs to the runs of one job, as the API shows it: what it told and returned, and where it will not end. */
final class RunViews {
    private final RunStorage runs;
    private final Redactor redactor;

    RunViews(RunStorage runs, Redactor redactor) {
        this.runs = runs;
        this.redactor = redactor;
    }

    /**
     * What a job told.
     *
     * @param at    when it last told something; null if it never did
     * @param lines how many lines it said in all
     * @param from  which of them is the first of {@code log}, counted from 0
     */
    record Told(
            @Nullable Instant at,
            @Nullable Long done,
            @Nullable Long total,
            Map<String, String> meta,
            int lines,
            int from,
            List<Line> log) {}

    /** A line; {@code number} counts within its attempt. */
    record Line(int number, Instant at, String text) {}

    /** What it returned, or why that is not there. */
    record Result(@Nullable String json, @Nullable String whyNotKept) {}

    /** A run that lost its lease and has not ended. */
    record Still(String node, Instant askedAt, long sinceMs) {}

    /** What it has in common with other jobs, and how many of those may run; {@code perMs} null if it is no rate. */
    record Key(
            String kind, String key, int atMost, @Nullable Long perMs) {}

    /** What a job told, with the lines from a number on; at most {@link RunNotes#LOG_LINES_MAX}, the last ones. */
    Told told(JobId id, int after) {
        RunNotes notes = runs.notes(id).orElse(null);
        if (notes == null) {
            return new Told(null, null, null, Map.of(), 0, 0, List.of());
        }
        int lines = notes.log().size();
        int from = Math.min(lines, Math.max(after, lines - RunNotes.LOG_LINES_MAX));
        Map<String, String> meta = new TreeMap<>();
        notes.meta().forEach((key, value) -> meta.put(redactor.text(key), redactor.value(key, value)));
        return new Told(
                notes.at(),
                notes.done(),
                notes.total(),
                meta,
                lines,
                from,
                notes.log().subList(from, lines).stream()
                        .map(line -> new Line(line.number(), line.at(), redactor.text(line.text())))
                        .toList());
    }

    @Nullable
    Result result(JobId id) {
        Ended ended = runs.endings(List.of(id)).get(id);
        JobResult result = ended == null ? null : ended.result();
        return result == null
                ? null
                : new Result(result.json() == null ? null : redactor.arguments(result.json()), result.whyNotKept());
    }

    List<Still> stillRunning(JobId id) {
        return runs.stillRunning().stream()
                .filter(request -> request.run().job().equals(id))
                .map(request -> new Still(
                        Long.toString(request.node().value()),
                        request.askedAt(),
                        request.since().toMillis()))
                .toList();
    }

    static @Nullable Key key(Job job) {
        KeyRule rule = job.traits().key();
        if (rule == null) {
            return null;
        }
        if (rule instanceof KeyRule.Rate rate) {
            return new Key("rate", rate.key(), rate.count(), rate.period().toMillis());
        }
        return new Key(rule instanceof KeyRule.Mailbox ? "mailbox" : "limit", rule.key(), rule.atMost(), null);
    }

    static @Nullable String waitsFor(Job job) {
        return job.state() instanceof JobState.Enqueued enqueued ? enqueued.waitsFor() : null;
    }
}
