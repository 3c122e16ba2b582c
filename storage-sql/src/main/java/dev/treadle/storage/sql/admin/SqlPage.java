package dev.treadle.storage.sql.admin;

import dev.treadle.job.Failure;
import dev.treadle.job.GateId;
import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.JobStory;
import dev.treadle.job.JobTraits;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Gate;
import dev.treadle.storage.admin.JobPage;
import dev.treadle.storage.admin.JobQuery;
import dev.treadle.storage.admin.JobSearch;
import dev.treadle.storage.admin.PageKey;
import dev.treadle.storage.sql.rows.StoryRows;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.text.TraitsText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One page of a list of jobs: which rows are looked at, which of them fit, and where the next page goes on. */
final class SqlPage {
    /** Rows looked at for each row of a page when nothing but the state is asked for: jobs may have older rows there. */
    private static final int ROWS_PER_JOB = 5;

    /** A lane and a priority are one number in the place of a page of waiting jobs: lane times this, and the priority. */
    private static final int LANE = 10_000;

    /** Before every id. */
    private static final UUID FIRST_ID = new UUID(0, 0);

    private static final int ANY_STATE = -1;

    /** A pattern that fits no traits: they begin with a brace. */
    private static final String NEVER = "}%";

    /** Times that every database knows, before and after all jobs. */
    private static final Instant FROM_MIN = Instant.EPOCH;

    private static final Instant UNTIL_MAX = PageKey.end().at();

    private final JobQuery filter;
    private final PageKey after;
    private final int max;
    private final boolean waiting;
    /** Whether it is the first page of its list. */
    private final boolean first;

    /** @throws IllegalArgumentException if {@code after} is no place in a list */
    SqlPage(JobQuery filter, @Nullable String after, int max) {
        this.filter = filter;
        this.max = max;
        SqlStatement verb = verb(filter);
        this.waiting = verb == SqlStatement.LIST_ENQUEUED || verb == SqlStatement.LIST_SCHEDULED;
        this.first = after == null;
        this.after = PageKey.parse(after, waiting ? PageKey.beginning() : PageKey.end());
    }

    JobPage read(Session session) throws SQLException {
        GateId gate = filter.gate();
        Gate known = gate == null ? null : SqlGates.find(session, gate);
        if (known != null && walksGate(known)) {
            return walk(session, known);
        }
        List<PageKey> fitting = new ArrayList<>();
        PageKey lastLookedAt = null;
        int lookedAt = 0;
        int scanned = scanned();
        try (NamedStatement select = session.statement(verb(filter))) {
            bind(select, scanned);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    Instant at = Rows.instantOrNull(rows, 3);
                    lastLookedAt =
                            new PageKey(rows.getInt(2), at == null ? Instant.EPOCH : at, JobId.of(Rows.uuid(rows, 1)));
                    lookedAt = rows.getInt(5);
                    if (rows.getBoolean(4)) {
                        fitting.add(lastLookedAt);
                    }
                }
            }
        }
        boolean more = fitting.size() > max;
        List<PageKey> page = more ? fitting.subList(0, max) : fitting;
        PageKey next = more ? page.get(max - 1) : lookedAt == scanned ? lastLookedAt : null;
        return new JobPage(lines(session, page), next == null ? null : next.text());
    }

    /**
     * Whether the ids that a gate counts are looked up one by one, and not all jobs of a state looked through. A list goes on
     * as it began.
     */
    private boolean walksGate(Gate gate) {
        if (filter.cause() != null || !first && after.child() < 0) {
            return false;
        }
        boolean all = filter.labels().isEmpty() && (filter.state() == null || filter.state() == StateName.SUCCEEDED);
        return all || after.child() >= 0 || gate.spawned() <= JobSearch.GATE_WALK_MAX;
    }

    /** The next ones that a gate counts, in the order of spawning. */
    private JobPage walk(Session session, Gate gate) throws SQLException {
        boolean fitsAll = filter.equals(JobQuery.ALL.withGate(filter.gate()));
        long from = after.child() + 1;
        long to = Math.min(gate.spawned(), from + (fitsAll ? max : JobSearch.LABELLED_SCAN_MAX));
        List<PageKey> asked = new ArrayList<>();
        for (long ordinal = from; ordinal < to; ordinal++) {
            asked.add(PageKey.ofChild(ordinal, gate.id().child(ordinal)));
        }
        Set<JobId> found = fitting(session, asked);
        List<PageKey> fitting =
                asked.stream().filter(key -> found.contains(key.id())).toList();
        boolean more = fitting.size() > max;
        List<PageKey> page = more ? fitting.subList(0, max) : fitting;
        PageKey next = more ? page.get(max - 1) : to < gate.spawned() ? asked.get(asked.size() - 1) : null;
        return new JobPage(lines(session, page), next == null ? null : next.text());
    }

    private Set<JobId> fitting(Session session, List<PageKey> asked) throws SQLException {
        Set<JobId> found = new HashSet<>();
        try (NamedStatement select = session.statement(SqlStatement.LIST_COUNTED)) {
            Object[] ids = asked.stream().map(key -> key.id().value()).toArray();
            select.setArray("ids", session.connection().createArrayOf("UUID", ids));
            fits(select);
            stands(select);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    found.add(JobId.of(Rows.uuid(rows, 1)));
                }
            }
        }
        return found;
    }

    private int scanned() {
        if (verb(filter) == SqlStatement.LIST_LABELLED) {
            return filter.isOneLabel() ? max + 1 : JobSearch.LABELLED_SCAN_MAX;
        }
        if (filter.isPicky() && (filter.state() == StateName.FAILED || filter.state() == StateName.CANCELLED)) {
            return JobSearch.ENDED_SCAN_MAX;
        }
        return filter.isPicky() ? JobSearch.SCAN_MAX : (max + 1) * ROWS_PER_JOB;
    }

    private static SqlStatement verb(JobQuery filter) {
        if (filter.cause() != null) {
            return SqlStatement.LIST_CAUSE;
        }
        if (!filter.labels().isEmpty()) {
            return SqlStatement.LIST_LABELLED;
        }
        if (filter.state() == null) {
            return SqlStatement.LIST_ALL;
        }
        return switch (filter.state()) {
            case SCHEDULED -> SqlStatement.LIST_SCHEDULED;
            case ENQUEUED -> SqlStatement.LIST_ENQUEUED;
            case PROCESSING -> SqlStatement.LIST_PROCESSING;
            case SUCCEEDED -> SqlStatement.LIST_SUCCEEDED;
            case FAILED -> SqlStatement.LIST_FAILED;
            case CANCELLED -> SqlStatement.LIST_CANCELLED;
            case PARKED -> SqlStatement.LIST_PARKED;
            case WAITING -> SqlStatement.LIST_WAITING;
        };
    }

    private void bind(NamedStatement select, int scanned) throws SQLException {
        fits(select);
        select.setObject("after_id", after.id().value());
        select.setInt("scanned", scanned);
        select.setInt("max", max + 1);
        begin(select);
    }

    private void fits(NamedStatement select) throws SQLException {
        select.setString("type", pattern(TraitsText.quoted(longest(filter.types()))));
        select.setString("argument", pattern(longest(filter.arguments())));
        select.setString("traits", traits());
        select.setString("not_traits", JobTraits.QUEUE_DEFAULT.equals(filter.queue()) ? "%\"queue\":%" : NEVER);
        select.setObject("since", Rows.time(filter.since() == null ? FROM_MIN : filter.since()));
        select.setObject("until", Rows.time(filter.until() == null ? UNTIL_MAX : filter.until()));
    }

    private void stands(NamedStatement select) throws SQLException {
        select.setString("error", pattern(longest(filter.errors())));
        select.setInt(
                "state", filter.state() == null ? ANY_STATE : filter.state().code());
    }

    /** Where the list begins that is looked at. */
    private void begin(NamedStatement select) throws SQLException {
        switch (verb(filter)) {
            case LIST_FAILED, LIST_CANCELLED -> {
                select.setString("error", pattern(longest(filter.errors())));
                select.setObject("after_at", Rows.time(after.at()));
            }
            case LIST_CAUSE -> {
                select.setString("error", pattern(longest(filter.errors())));
                select.setString("cause", filter.cause());
                select.setObject("after_at", Rows.time(after.at()));
            }
            case LIST_ENQUEUED -> {
                int lane = Math.floorDiv(after.priority() + LANE / 2, LANE);
                boolean isAmongKeyed = lane == PageKey.IN_LINE / LANE;
                select.setInt("after_lane", lane);
                select.setInt("after_priority", after.priority() - lane * LANE);
                select.setObject("after_at", Rows.time(after.at()));
                select.setObject("after_keyed_id", isAmongKeyed ? after.id().value() : FIRST_ID);
            }
            case LIST_SCHEDULED -> select.setObject("after_at", Rows.time(after.at()));
            case LIST_LABELLED -> {
                stands(select);
                select.setString("label", longest(filter.labels()).replace('\0', '\uFFFD'));
            }
            default -> {
                // by id alone
            }
        }
    }

    /**
     * Part of the traits' text, where labels, queue and gate stand in quotes, in the order in which they are written. That finds more than is meant, such as a tag of
     * that name; {@link #isMeant} looks at each.
     */
    private String traits() {
        boolean named = filter.queue() != null && !filter.queue().equals(JobTraits.QUEUE_DEFAULT);
        String queue = named ? "%\"queue\":\"" + escaped(TraitsText.quoted(filter.queue())) + "\"" : "";
        String label =
                filter.labels().isEmpty() ? "" : "%\"" + escaped(TraitsText.quoted(longest(filter.labels()))) + "\"";
        String gate = filter.gate() == null ? "" : "%\"gate\":\"" + filter.gate() + "\"";
        return queue + label + gate + "%";
    }

    /** Whether all fits that is told of a job: the statement looks for one word of a kind, and in all of the traits. */
    private boolean isMeant(JobPage.Line line) {
        Job job = line.job();
        return job.traits().labels().containsAll(filter.labels())
                && (filter.gate() == null || filter.gate().equals(job.traits().gate()))
                && (filter.queue() == null || filter.queue().equals(job.traits().queue()))
                && has(filter.types(), named(job))
                && has(filter.errors(), error(line));
    }

    private static boolean has(List<String> parts, String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return parts.stream().allMatch(part -> lower.contains(part.toLowerCase(Locale.ROOT)));
    }

    private static String named(Job job) {
        String method = job.invocation().method();
        String name = job.traits().name();
        return job.invocation().type() + "." + (method == null ? "" : method) + " " + (name == null ? "" : name);
    }

    private static String error(JobPage.Line line) {
        Failure why = line.last() == null ? null : line.last().why();
        return why == null ? "" : why.type() + " " + why.message();
    }

    /** Of several words the one that the statement looks for: the longest fits fewest. Empty if there are none. */
    private static String longest(List<String> words) {
        return words.stream().max(Comparator.comparingInt(String::length)).orElse("");
    }

    private static String pattern(String part) {
        return part.isEmpty() ? "%" : "%" + escaped(part.toLowerCase(Locale.ROOT)) + "%";
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\")
                .replace("%", "\\%")
                .replace("_", "\\_")
                .replace('\0', '\uFFFD');
    }

    private List<JobPage.Line> lines(Session session, List<PageKey> page) throws SQLException {
        if (page.isEmpty()) {
            return List.of();
        }
        Set<JobId> meant = withAllArguments(session, page);
        Map<JobId, JobStory> stories = new HashMap<>();
        try (NamedStatement select = session.statement(SqlStatement.LINES)) {
            Object[] ids = page.stream().map(key -> key.id().value()).toArray();
            select.setArray("ids", session.connection().createArrayOf("UUID", ids));
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    JobStory story = StoryRows.one(rows);
                    stories.put(story.job().id(), story);
                }
            }
        }
        return page.stream()
                .map(key -> stories.get(key.id()))
                .filter(story -> story != null && meant.contains(story.job().id()))
                .map(story -> new JobPage.Line(
                        story.job(),
                        story.history().isEmpty() ? null : story.history().get(0)))
                .filter(this::isMeant)
                .toList();
    }

    /** Those in whose arguments every word is found. A list shows only the beginning of them, so the database looks. */
    private Set<JobId> withAllArguments(Session session, List<PageKey> page) throws SQLException {
        Set<JobId> ids = page.stream().map(PageKey::id).collect(Collectors.toSet());
        String looked = longest(filter.arguments());
        for (String word : filter.arguments()) {
            if (!word.equals(looked) && !ids.isEmpty()) {
                ids = withArgument(session, ids, word);
            }
        }
        return ids;
    }

    private static Set<JobId> withArgument(Session session, Set<JobId> ids, String word) throws SQLException {
        Set<JobId> found = new HashSet<>();
        try (NamedStatement select = session.statement(SqlStatement.HAVING_ARGUMENT)) {
            Object[] all = ids.stream().map(JobId::value).toArray();
            select.setArray("ids", session.connection().createArrayOf("UUID", all));
            select.setString("argument", pattern(word));
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    found.add(JobId.of(Rows.uuid(rows, 1)));
                }
            }
        }
        return found;
    }
}
