package dev.treadle.testing;

import dev.treadle.job.Failure;
import dev.treadle.job.HistoryEntry;
import dev.treadle.job.Invocation;
import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.JobState;
import dev.treadle.job.JobStory;
import dev.treadle.job.StateName;
import dev.treadle.server.ManualServer;
import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.storage.admin.JobPage;
import dev.treadle.storage.admin.JobQuery;
import dev.treadle.storage.admin.JobSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All jobs of a test, and what messages say about them.
 *
 * @param present a stored call under the names that its class and method have
 */
record KnownJobs(AdminStorage storage, ManualServer server, UnaryOperator<Invocation> present) {
    /** Most jobs that a message lists. */
    private static final int LISTED_MAX = 20;

    private static final Set<StateName> WAITING = Set.of(StateName.ENQUEUED, StateName.SCHEDULED);
    private static final Set<HistoryEntry.Event> BAD =
            Set.of(HistoryEntry.Event.THREW, HistoryEntry.Event.NOT_RUNNABLE);

    /** In the order in which they were enqueued. */
    List<JobStory> all() {
        List<JobId> ids = new ArrayList<>();
        @Nullable String next = null;
        do {
            JobPage page = storage.search().list(JobQuery.ALL, next, JobSearch.PAGE_MAX);
            page.lines().forEach(line -> ids.add(line.job().id()));
            next = page.next();
        } while (next != null);
        // one by one, since a list cuts off long arguments
        return ids.stream()
                .sorted()
                .flatMap(id -> storage.queries().find(id).stream())
                .toList();
    }

    List<Job> in(StateName... states) {
        Set<StateName> wanted = Set.of(states);
        return all().stream()
                .map(JobStory::job)
                .filter(job -> wanted.contains(job.state().name()))
                .toList();
    }

    List<Job> waiting() {
        return in(WAITING.toArray(StateName[]::new));
    }

    List<Job> waiting(Class<?> request) {
        return waiting().stream()
                .filter(job -> {
                    Invocation call = present.apply(job.invocation());
                    return call.method() == null && call.type().equals(request.getName());
                })
                .toList();
    }

    boolean calls(Job job, Class<?> type, String method) {
        Invocation call = present.apply(job.invocation());
        String called = call.method();
        return called != null
                && call.type().equals(type.getName())
                && (called.equals(method) || called.startsWith(method + "("));
    }

    /** What jobs there are, one line each. */
    String summary() {
        List<JobStory> all = all();
        if (all.isEmpty()) {
            return "There are no jobs.";
        }
        String listed = all.stream()
                .limit(LISTED_MAX)
                .map(story -> "\n  " + line(story.job()))
                .collect(Collectors.joining());
        int more = all.size() - LISTED_MAX;
        return "Jobs:" + listed + (more > 0 ? "\n  and " + more + " more" : "");
    }

    private static String line(Job job) {
        return job.state().name() + " " + job.invocation().target() + " "
                + job.invocation().arguments()
                + (job.state() instanceof JobState.Scheduled scheduled ? " at " + scheduled.dueAt() : "");
    }

    /** Every failed attempt, and every job that nothing here can run; empty if there is none. */
    String failures() {
        StringBuilder failures = new StringBuilder();
        for (JobStory story : all()) {
            for (HistoryEntry entry : story.history()) {
                if (isFailure(entry)) {
                    failures.append("\n  ")
                            .append(line(story.job()))
                            .append(", attempt ")
                            .append(entry.attempt())
                            .append(": ")
                            .append(text(entry.why()));
                }
            }
        }
        return failures.toString();
    }

    /** A crash that the test planned is no failure of the job, unless no attempt is left for it. */
    private static boolean isFailure(HistoryEntry entry) {
        return BAD.contains(entry.event())
                || entry.event() == HistoryEntry.Event.NODE_LOST && entry.next() == StateName.FAILED;
    }

    /** @throws AssertionError if there is none */
    JobStory find(JobId id) {
        return storage.queries()
                .find(id)
                .orElseThrow(() -> new AssertionError("There is no job " + id + ". " + summary()));
    }

    /** How the last failed attempt of a job ended; empty if none failed. */
    String failureOf(JobId id) {
        return storage.queries()
                .find(id)
                .flatMap(story ->
                        story.history().stream().filter(KnownJobs::isFailure).reduce((one, later) -> later))
                .map(entry -> " Attempt " + entry.attempt() + ": " + text(entry.why()))
                .orElse("");
    }

    private static String text(@Nullable Failure why) {
        if (why == null) {
            return "no reason is known";
        }
        return why.trace().isEmpty() ? why.message() : why.trace().stripTrailing();
    }
}
