package dev.treadle.dashboard.api;

import dev.treadle.job.Failure;
import dev.treadle.job.HistoryEntry;
import dev.treadle.job.Invocation;
import dev.treadle.job.Job;
import dev.treadle.job.JobState;
import dev.treadle.job.JobStory;
import dev.treadle.storage.admin.FailureGroup;
import dev.treadle.storage.admin.JobPage;
import dev.treadle.storage.admin.JobSearch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Jobs as the API shows them: ids and long numbers as text, secrets left out. */
final class Views {
    private final JobRedactors redactors;
    private final RunViews runs;
    private final StoredNames names;

    Views(JobRedactors redactors, RunViews runs, StoredNames names) {
        this.redactors = redactors;
        this.runs = runs;
        this.names = names;
    }

    /**
     * A job in a list.
     *
     * @param type     what it calls, by the names of the code
     * @param storedAs what it is stored under, if that differs; else null
     */
    record Line(
            String id,
            String state,
            @Nullable String name,
            String type,
            @Nullable String method,
            @Nullable String storedAs,
            String arguments,
            int attempt,
            int priority,
            String queue,
            Set<String> labels,
            Instant createdAt,
            Instant since,
            @Nullable Instant dueAt,
            @Nullable String node,
            @Nullable Long ranMs,
            @Nullable Long waitedMs,
            @Nullable Cause error) {}

    /** What went wrong, or the reason that a person gave. */
    record Cause(String type, String message, @Nullable String trace) {}

    /**
     * A job and everything that has happened to it.
     *
     * @param timeoutMs    how long one attempt may run; null if there is no limit
     * @param waitsFor     the line of its key in which it waits; null if it does not
     * @param result       what it returned; null if nothing, or if it has not succeeded
     * @param stillRunning runs that were told to end and have not
     */
    record Story(
            Line job,
            String arguments,
            @Nullable String retries,
            @Nullable Long timeoutMs,
            Set<String> tags,
            Map<String, String> headers,
            RunViews.@Nullable Key key,
            @Nullable String waitsFor,
            RunViews.@Nullable Result result,
            List<RunViews.Still> stillRunning,
            List<Entry> history) {}

    /** One thing that happened. */
    record Entry(
            String event,
            String next,
            int attempt,
            @Nullable String node,
            @Nullable String by,
            @Nullable Instant claimedAt,
            Instant at,
            @Nullable Long ranMs,
            @Nullable Cause why) {}

    /** Jobs that failed of one cause; {@code more} if there are more than that. */
    record Group(
            String cause,
            String type,
            @Nullable String where,
            int jobs,
            boolean more,
            Instant first,
            Instant last,
            String latest,
            String target,
            String message) {}

    StoredNames names() {
        return names;
    }

    JobRedactors redactors() {
        return redactors;
    }

    /** A job as a list shows it. */
    Line line(JobStory story) {
        List<HistoryEntry> history = story.history();
        return line(story.job(), history.isEmpty() ? null : history.get(history.size() - 1), redactors.of(story.job()));
    }

    Line line(JobPage.Line line) {
        return line(line.job(), line.last(), redactors.ofListed(line.job()));
    }

    private Line line(Job job, @Nullable HistoryEntry last, Redactor mine) {
        JobState state = job.state();
        Invocation here = names.here().apply(job.invocation());
        String storedAs = job.invocation().target();
        boolean ended = last != null && last.next() == state.name();
        return new Line(
                job.id().toString(),
                state.name().name(),
                job.traits().name() == null ? null : mine.text(job.traits().name()),
                here.type(),
                here.method(),
                storedAs.equals(here.target()) ? null : storedAs,
                mine.arguments(cut(job.invocation().arguments())),
                job.attempt(),
                job.priority(),
                job.traits().queue(),
                words(job.traits().labels(), mine),
                job.createdAt(),
                state.since(),
                state instanceof JobState.Scheduled scheduled ? scheduled.dueAt() : null,
                state instanceof JobState.Processing processing
                        ? Long.toString(processing.node().value())
                        : ended && last.node() != null
                                ? Long.toString(last.node().value())
                                : null,
                ended ? millis(last.ranFor()) : null,
                ended && last.claimedAt() != null && last.attempt() == 1
                        ? millis(Duration.between(job.createdAt(), last.claimedAt()))
                        : null,
                last == null || last.why() == null || state.name() == dev.treadle.job.StateName.SUCCEEDED
                        ? null
                        : cause(mine, last.why(), false));
    }

    private static Set<String> words(Set<String> words, Redactor mine) {
        return words.stream().map(mine::word).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Map<String, String> headers(Job job, Redactor mine) {
        Map<String, String> headers = new TreeMap<>();
        job.traits().headers().forEach((name, value) -> headers.put(mine.word(name), mine.text(value)));
        return headers;
    }

    private static String cut(String arguments) {
        return arguments.substring(0, Math.min(arguments.length(), JobSearch.ARGUMENT_CHARS_MAX));
    }

    Story story(JobStory story) {
        List<HistoryEntry> history = story.history();
        Job job = story.job();
        Redactor mine = redactors.of(job);
        List<Entry> entries = new ArrayList<>();
        history.forEach(entry -> entries.add(new Entry(
                entry.event().name(),
                entry.next().name(),
                entry.attempt(),
                entry.node() == null ? null : Long.toString(entry.node().value()),
                entry.by(),
                entry.claimedAt(),
                entry.at(),
                millis(entry.ranFor()),
                entry.why() == null ? null : cause(mine, entry.why(), true))));
        return new Story(
                line(job, history.isEmpty() ? null : history.get(history.size() - 1), mine),
                mine.arguments(job.invocation().arguments()),
                job.retries() == null ? null : job.retries().toText(),
                millis(job.traits().timeout()),
                words(job.traits().tags(), mine),
                headers(job, mine),
                RunViews.key(job, mine),
                RunViews.waitsFor(job, mine),
                job.state().name() == dev.treadle.job.StateName.SUCCEEDED ? runs.result(job.id(), mine) : null,
                runs.stillRunning(job.id()),
                entries);
    }

    Group group(FailureGroup group) {
        int at = group.cause().indexOf(" at ");
        return new Group(
                group.cause(),
                at < 0 ? group.cause() : group.cause().substring(0, at),
                at < 0 ? null : group.cause().substring(at + " at ".length()),
                group.jobs(),
                group.jobs() >= JobSearch.CAUSE_COUNT_MAX,
                group.first(),
                group.last(),
                group.latest().toString(),
                names.here(group.target()),
                redactors.of(group.latest()).text(group.message()));
    }

    private static Cause cause(Redactor redactor, Failure why, boolean whole) {
        return new Cause(
                why.type(),
                redactor.text(why.message()),
                whole && !why.trace().isEmpty() ? redactor.text(why.trace()) : null);
    }

    private static @Nullable Long millis(@Nullable Duration duration) {
        return duration == null ? null : duration.toMillis();
    }
}
