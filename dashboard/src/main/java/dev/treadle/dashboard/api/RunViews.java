package dev.treadle.dashboard.api;

import dev.treadle.dashboard.web.Problem;
import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.JobResult;
import dev.treadle.job.JobState;
import dev.treadle.job.KeyRule;
import dev.treadle.job.RunNotes;
import dev.treadle.lifecycle.Completion;
import dev.treadle.storage.NotesPage;
import dev.treadle.storage.RunStorage;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What belongs to the runs of one job, as the API shows it: what it reported and returned, and where it does not end. */
final class RunViews {
    /** Most lines in one answer. */
    private static final int LINES = 500;

    private final RunStorage runs;
    private final JobRedactors redactors;

    RunViews(RunStorage runs, JobRedactors redactors) {
        this.runs = runs;
        this.redactors = redactors;
    }

    /** What a job reported.
     *
     * @param at   when it last reported something; null if it never did
     * @param log  lines, oldest first
     * @param more whether there are further lines: before these if the last ones were asked for, else behind them
     */
    record Told(
            @Nullable Instant at,
            @Nullable Long done,
            @Nullable Long total,
            Map<String, String> meta,
            List<Line> log,
            boolean more) {}

    /** A line; {@code number} counts within its attempt, and {@code place} says where to go on after it. */
    record Line(String place, int number, Instant at, String text) {}

    /** What it returned, or why that is not there. */
    record Result(@Nullable String json, @Nullable String whyNotKept) {}

    /** A run that lost its lease and has not ended. */
    record Still(String node, Instant askedAt, long sinceMs) {}

    /** What it has in common with other jobs, and how many of those may run; {@code perMs} null if it is no rate. */
    record Key(
            String kind, String key, int atMost, @Nullable Long perMs) {}

    /** What a job reported, with the lines after a place, or else the last ones; at most {@value #LINES}. */
    Told told(JobId id, @Nullable String after) {
        NotesPage page = runs.notes(id, place(after), LINES).orElse(null);
        if (page == null) {
            return new Told(null, null, null, Map.of(), List.of(), false);
        }
        Redactor mine = redactors.of(id);
        RunNotes notes = page.last();
        Map<String, String> meta = new TreeMap<>();
        notes.meta().forEach((key, value) -> meta.put(mine.text(key), mine.value(key, value)));
        return new Told(
                notes.at(),
                notes.done(),
                notes.total(),
                meta,
                page.lines().stream()
                        .map(said -> new Line(
                                said.place().token() + "-" + said.place().line(),
                                said.line().number(),
                                said.line().at(),
                                mine.text(said.line().text())))
                        .toList(),
                page.more());
    }

    private static NotesPage.@Nullable Place place(@Nullable String after) {
        if (after == null || after.isEmpty()) {
            return null;
        }
        if (!after.matches("\\d{1,18}-\\d{1,9}")) {
            throw Problem.bad("The parameter after is the place of a line, as an answer gave it.");
        }
        int dash = after.indexOf('-');
        return new NotesPage.Place(
                Long.parseLong(after.substring(0, dash)), Integer.parseInt(after.substring(dash + 1)));
    }

    @Nullable
    Result result(JobId id, Redactor mine) {
        Completion ended = runs.endings(List.of(id)).get(id);
        JobResult result = ended == null ? null : ended.result();
        return result == null
                ? null
                : new Result(result.json() == null ? null : mine.result(result.json()), result.whyNotKept());
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

    static @Nullable Key key(Job job, Redactor mine) {
        KeyRule rule = job.traits().key();
        if (rule == null) {
            return null;
        }
        if (rule instanceof KeyRule.Rate rate) {
            return new Key(
                    "rate", mine.word(rate.key()), rate.count(), rate.period().toMillis());
        }
        return new Key(
                rule instanceof KeyRule.Mailbox ? "mailbox" : "limit", mine.word(rule.key()), rule.atMost(), null);
    }

    static @Nullable String waitsFor(Job job, Redactor mine) {
        String line = job.state() instanceof JobState.Enqueued enqueued ? enqueued.waitsFor() : null;
        return line == null ? null : mine.word(line);
    }
}
