package dev.treadle.storage.memory;

import dev.treadle.job.Failure;
import dev.treadle.job.GateId;
import dev.treadle.job.HistoryEntry;
import dev.treadle.job.Invocation;
import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.JobState;
import dev.treadle.job.StateName;
import dev.treadle.storage.admin.FailureGroup;
import dev.treadle.storage.admin.JobPage;
import dev.treadle.storage.admin.JobQuery;
import dev.treadle.storage.admin.JobSearch;
import dev.treadle.storage.admin.PageKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a dashboard asks, answered from memory by looking at every job. */
final class MemorySearch implements JobSearch {
    private final MemoryTables tables;
    private final ReentrantLock lock;
    private final InstantSource time;

    MemorySearch(MemoryTables tables, ReentrantLock lock, InstantSource time) {
        this.tables = tables;
        this.lock = lock;
        this.time = time;
    }

    @Override
    public JobPage list(JobQuery filter, @Nullable String after, int max) {
        if (filter.gate() != null) {
            return locked(() -> counted(filter, filter.gate(), after, max));
        }
        StateName by = orderedBy(filter);
        Comparator<PageKey> order = order(by);
        PageKey last = after == null ? null : PageKey.parse(after, PageKey.end());
        return locked(() -> {
            List<Job> found = tables.all().stream()
                    .filter(job -> matches(filter, job))
                    .filter(job -> last == null || order.compare(key(by, job), last) > 0)
                    .sorted(Comparator.comparing(job -> key(by, job), order))
                    .limit(max + 1L)
                    .toList();
            boolean more = found.size() > max;
            List<Job> page = more ? found.subList(0, max) : found;
            return new JobPage(
                    page.stream().map(this::line).toList(),
                    more ? key(by, page.get(max - 1)).text() : null);
        });
    }

    /** Those that a gate counts, in the order of spawning. */
    private JobPage counted(JobQuery filter, GateId gate, @Nullable String after, int max) {
        PageKey last = PageKey.parse(after, PageKey.ofChild(-1, JobId.of(gate.value())));
        long spawned = tables.gates.spawned(gate);
        long begin = last.child() + 1;
        long end = Math.min(spawned, begin + SCAN_MAX);
        List<JobPage.Line> lines = new ArrayList<>();
        for (long ordinal = begin; ordinal < end; ordinal++) {
            Job job = tables.jobs.get(gate.child(ordinal));
            if (job == null || !matches(filter, job)) {
                continue;
            }
            if (lines.size() == max) {
                return new JobPage(
                        lines,
                        PageKey.ofChild(ordinal - 1, gate.child(ordinal - 1)).text());
            }
            lines.add(line(job));
        }
        return new JobPage(
                lines,
                end < spawned ? PageKey.ofChild(end - 1, gate.child(end - 1)).text() : null);
    }

    @Override
    public List<GateSeen> gates(Collection<JobId> waiters, int from, int max) {
        Comparator<GateSeen> order = Comparator.comparing(
                        (GateSeen seen) -> seen.gate().waiter())
                .thenComparing(GateSeen::isAwaited, Comparator.reverseOrder())
                .thenComparing(seen -> seen.gate().name());
        return locked(() -> waiters.stream()
                .distinct()
                .flatMap(waiter -> tables.gates.seen(waiter).stream())
                .sorted(order)
                .skip(from)
                .limit(max)
                .toList());
    }

    /** The state in whose order a list is; null for newest first. */
    private static @Nullable StateName orderedBy(JobQuery filter) {
        return !filter.labels().isEmpty() && filter.cause() == null ? null : filter.state();
    }

    private static Comparator<PageKey> order(@Nullable StateName state) {
        if (state == null) {
            return PageKey.NEWEST;
        }
        return switch (state) {
            case SCHEDULED, ENQUEUED -> PageKey.NEXT;
            case FAILED, CANCELLED -> PageKey.LATEST;
            case PROCESSING, SUCCEEDED, PARKED, WAITING -> PageKey.NEWEST;
        };
    }

    private PageKey key(@Nullable StateName list, Job job) {
        if (list == StateName.ENQUEUED) {
            Instant due = dueSince(job.id());
            return due == null ? PageKey.inLine(job.id()) : new PageKey(job.priority(), due, job.id());
        }
        if (list == StateName.SCHEDULED && job.state() instanceof JobState.Scheduled scheduled) {
            return new PageKey(0, scheduled.dueAt(), job.id());
        }
        return list == StateName.FAILED || list == StateName.CANCELLED
                ? new PageKey(0, job.state().since(), job.id())
                : PageKey.of(job.id());
    }

    /** When the job came due that waits; null if it does not wait. */
    private @Nullable Instant dueSince(JobId id) {
        MemoryWaiting waits = tables.waiting.get(id);
        return waits == null ? null : waits.at();
    }

    private boolean matches(JobQuery filter, Job job) {
        Invocation call = job.invocation();
        return (filter.state() == null || filter.state() == job.state().name())
                && (filter.gate() == null || filter.gate().equals(job.traits().gate()))
                && (filter.since() == null || !job.createdAt().isBefore(filter.since()))
                && (filter.until() == null || job.createdAt().isBefore(filter.until()))
                && has(filter.types(), named(job))
                && job.traits().labels().containsAll(filter.labels())
                && (filter.queue() == null || filter.queue().equals(job.traits().queue()))
                && has(filter.arguments(), call.arguments())
                && (filter.cause() == null || filter.cause().equals(failure(job).cause()))
                && has(filter.errors(), failure(job).type() + " " + failure(job).message());
    }

    /** What a job calls, and the name it was given. */
    private static String named(Job job) {
        Invocation call = job.invocation();
        String name = job.traits().name();
        return call.type() + "." + (call.method() == null ? "" : call.method()) + " " + (name == null ? "" : name);
    }

    private static boolean has(List<String> parts, String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return parts.stream().allMatch(part -> lower.contains(part.toLowerCase(Locale.ROOT)));
    }

    private static Failure failure(Job job) {
        return job.state() instanceof JobState.Failed failed ? failed.failure() : Failure.because("", "");
    }

    private JobPage.Line line(Job job) {
        Invocation call = job.invocation();
        String arguments = call.arguments();
        Invocation cut = new Invocation(
                call.type(), call.method(), arguments.substring(0, Math.min(ARGUMENT_CHARS_MAX, arguments.length())));
        List<HistoryEntry> told = tables.history.of(job.id());
        HistoryEntry last = told.isEmpty() ? null : told.get(told.size() - 1);
        Failure why = last == null ? null : last.why();
        return new JobPage.Line(
                new Job(job.id(), cut, job.traits(), job.createdAt(), job.attempt(), job.state()),
                last == null
                        ? null
                        : new HistoryEntry(
                                last.event(),
                                last.next(),
                                last.attempt(),
                                last.node(),
                                last.by(),
                                last.claimedAt(),
                                last.at(),
                                last.ranFor(),
                                why == null ? null : Failure.because(why.type(), why.message())));
    }

    @Override
    public Map<StateName, Long> counts() {
        return locked(() -> {
            Map<StateName, Long> counts = new EnumMap<>(StateName.class);
            for (StateName state : StateName.values()) {
                counts.put(state, 0L);
            }
            tables.all().forEach(job -> counts.merge(job.state().name(), 1L, Long::sum));
            return counts;
        });
    }

    @Override
    public List<FailureGroup> failures() {
        return locked(() -> {
            Map<String, List<Job>> groups = tables.all().stream()
                    .filter(job -> failure(job).cause() != null)
                    .collect(Collectors.groupingBy(
                            job -> Objects.requireNonNull(failure(job).cause())));
            return groups.entrySet().stream()
                    .map(group -> group(group.getKey(), group.getValue()))
                    .sorted(Comparator.comparing(FailureGroup::last).reversed())
                    .limit(CAUSES_MAX)
                    .toList();
        });
    }

    private static FailureGroup group(String cause, List<Job> jobs) {
        List<Job> latest = jobs.stream()
                .sorted(Comparator.comparing((Job job) -> job.state().since()).reversed())
                .limit(CAUSE_COUNT_MAX)
                .toList();
        Job last = latest.get(0);
        return new FailureGroup(
                cause,
                latest.size(),
                latest.get(latest.size() - 1).state().since(),
                last.state().since(),
                last.id(),
                last.invocation().target(),
                failure(last).message());
    }

    @Override
    public List<Attempt> recent(Duration within) {
        return locked(() -> {
            Instant from = time.instant().minus(within);
            return tables.all().stream()
                    .flatMap(job -> tables.history.of(job.id()).stream()
                            .filter(told ->
                                    told.claimedAt() != null && told.at().isAfter(from))
                            .map(told -> attempt(job, told)))
                    .limit(RECENT_MAX)
                    .toList();
        });
    }

    private static Attempt attempt(Job job, HistoryEntry told) {
        boolean first = told.attempt() == 1 && told.claimedAt() != null;
        return new Attempt(first ? Duration.between(job.createdAt(), told.claimedAt()) : null, told.ranFor());
    }

    @Override
    public @Nullable Duration longestWait() {
        return locked(() -> tables.all().stream()
                .filter(job -> job.state().name() == StateName.ENQUEUED)
                .map(job -> dueSince(job.id()))
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .map(due -> Duration.between(due, time.instant()))
                .orElse(null));
    }

    @Override
    public List<NodeSeen> nodes(Duration goneWithin) {
        return locked(() -> tables.nodes.seen(
                time.instant().minus(goneWithin),
                node -> tables.leases(lease -> lease.node().equals(node), Integer.MAX_VALUE)
                        .size()));
    }

    private <T extends @Nullable Object> T locked(Supplier<T> question) {
        lock.lock();
        try {
            return question.get();
        } finally {
            lock.unlock();
        }
    }
}
