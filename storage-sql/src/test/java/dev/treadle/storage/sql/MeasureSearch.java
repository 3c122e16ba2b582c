package dev.treadle.storage.sql;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.job.NodeId;
import dev.treadle.job.StateName;
import dev.treadle.storage.admin.JobPage;
import dev.treadle.storage.admin.JobQuery;
import dev.treadle.storage.admin.JobSearch;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * How long a dashboard's questions take on a PostgreSQL with many jobs: {@code ./treadle search [jobs]}, ten million if
 * nobody says. 1 % failed of 40 causes, 0.1 % were cancelled, 1 % wait, 1,000 run, the others succeeded, all
 * made in the last ten days; 1.5 % have two labels, and ten nodes told of eight days, minute by minute. A
 * tenth as many more are the children of one job.
 */
final class MeasureSearch {
    private static final long JOBS = 10_000_000;
    /** With fewer, there is no second page and no failure of every kind. */
    private static final long JOBS_MIN = 10_000;

    private static final long JOBS_MAX = 100_000_000;
    private static final String HELP =
            "Usage: ./treadle search [jobs]\n\nFills a PostgreSQL of its own with so many jobs ("
                    + JOBS + " if nobody says, " + JOBS_MIN + " to " + JOBS_MAX
                    + "),\nasks each question of the dashboard a hundred"
                    + " times, and says how long that took.\nTen million need three minutes and 8 GB of disk in the temporary folder.";

    private static final int ROUNDS = 100;
    private static final int WARM_UP = 10;

    private MeasureSearch() {}

    public static void main(String[] args) {
        if (List.of(args).contains("--help") || List.of(args).contains("-h")) {
            System.out.println(HELP);
            return;
        }
        long jobs;
        try {
            jobs = jobs(args);
        } catch (IllegalArgumentException e) {
            System.err.println("treadle search: " + e.getMessage() + "\n\n" + HELP);
            System.exit(2);
            return;
        }
        HikariDataSource database = TestDatabases.postgres();
        SqlStorageProvider storage = SqlStorageProvider.using(database);
        fill(database, jobs);
        Map<String, Runnable> questions = new LinkedHashMap<>();
        JobSearch search = storage.search();
        questions.put("counts", () -> storage.search().counts());
        for (StateName state : StateName.values()) {
            questions.put("first page of " + state, () -> search.list(JobQuery.in(state), null, 50));
        }
        questions.put("first page of all", () -> search.list(JobQuery.ALL, null, 50));
        JobPage page = search.list(JobQuery.ALL, null, 200);
        questions.put("a later page of all", () -> search.list(JobQuery.ALL, Objects.requireNonNull(page.next()), 50));
        String cause = search.failures().get(0).cause();
        questions.put("one cause", () -> search.list(JobQuery.ALL.withCause(cause), null, 50));
        questions.put("failures by cause", search::failures);
        questions.put("usual type", () -> search.list(JobQuery.ALL.withType("type3."), null, 50));
        questions.put("rare type, one look", () -> search.list(JobQuery.ALL.withType("no.such.type"), null, 50));
        questions.put("rare argument, one look", () -> search.list(JobQuery.ALL.withArguments("nowhere"), null, 50));
        questions.put(
                "failed, error text",
                () -> search.list(JobQuery.in(StateName.FAILED).withError("cause 7"), null, 50));
        questions.put(
                "succeeded, rare, one look",
                () -> search.list(JobQuery.in(StateName.SUCCEEDED).withArguments("nowhere"), null, 50));
        questions.put("a label", () -> search.list(JobQuery.ALL.withLabel("customer 7"), null, 50));
        questions.put("a label of 150,000 jobs", () -> search.list(JobQuery.ALL.withLabel("slips"), null, 50));
        questions.put(
                "a label, failed ones",
                () -> search.list(JobQuery.in(StateName.FAILED).withLabel("slips"), null, 50));
        questions.put(
                "a label, none fits, one look",
                () -> search.list(JobQuery.in(StateName.PROCESSING).withLabel("slips"), null, 50));
        questions.put("a label that nobody has", () -> search.list(JobQuery.ALL.withLabel("nobody"), null, 50));
        questions.put("queues", () -> storage.queues().states());
        questions.put(
                "a week of ten nodes",
                () -> storage.minutes().together(Instant.now().minus(Duration.ofDays(7))));
        questions.put(
                "an hour of one node",
                () -> storage.minutes().of(new NodeId(3), Instant.now().minus(Duration.ofHours(1))));
        questions.put("recent attempts", () -> search.recent(Duration.ofSeconds(1)));
        questions.put("longest wait", search::longestWait);
        questions.put("nodes", () -> search.nodes(Duration.ofHours(1)));
        MeasuredGate.fill(storage, database, jobs / 10).questions(questions);
        questions.forEach(MeasureSearch::measure);
        storage.close();
        System.exit(0);
    }

    /** @throws IllegalArgumentException if that is no number of jobs */
    static long jobs(String... args) {
        if (args.length == 0) {
            return JOBS;
        }
        String text = args[0].replace("_", "").replace(",", "");
        if (args.length > 1 || !text.matches("\\d{1,12}")) {
            throw new IllegalArgumentException(
                    "'" + String.join(" ", args) + "' is not understood: give one number of jobs, or nothing.");
        }
        long jobs = Long.parseLong(text);
        if (jobs < JOBS_MIN || jobs > JOBS_MAX) {
            throw new IllegalArgumentException(
                    jobs + " jobs are not possible here: give " + JOBS_MIN + " to " + JOBS_MAX + ".");
        }
        return jobs;
    }

    private static void measure(String name, Runnable question) {
        for (int i = 0; i < WARM_UP; i++) {
            question.run();
        }
        double[] millis = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            long began = System.nanoTime();
            question.run();
            millis[i] = (System.nanoTime() - began) / 1e6;
        }
        Arrays.sort(millis);
        System.out.printf(
                Locale.ROOT,
                "%-28s p50 %7.1f ms   p95 %7.1f ms%n",
                name,
                millis[ROUNDS / 2],
                millis[ROUNDS * 95 / 100]);
    }

    private static void fill(HikariDataSource database, long jobs) {
        String[] steps = {
            "create unlogged table seed as select n, (lpad(to_hex((extract(epoch from now()) * 1000)::bigint - ($N - n)::bigint * 864000000 / $N), 12, '0')"
                    + " || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 5, 15))::uuid as id,"
                    + " now() - ($N - n) * interval '10 days' / $N as at from generate_series(1, $N::bigint) n",
            "insert into treadle_job (id, created_at, type, method, arguments, priority, traits) select id, at, 'com.acme.Type' || n % 50,"
                    + " 'run(long)', '[' || n || ',\"some argument of a usual length, as jobs have them\"]', 0,"
                    + " case when n % 100 = 7 or n % 200 = 1 then '{\"labels\":[\"customer ' || n / 100 % 1000 || '\",\"slips\"]}' end from seed",
            "insert into treadle_label (job_id, label) select id, label from seed cross join lateral"
                    + " (values ('customer ' || n / 100 % 1000), ('slips')) l (label) where n % 100 = 7 or n % 200 = 1",
            "insert into treadle_node (id, name, executor, workers, started_at, beat_at) select n, 'worker-' || n, 'virtual', 100, now(), now() from generate_series(1, 10) n",
            "insert into treadle_minute (at, node, seconds, succeeded, failed, run_p50, run_p95, wait_p95, running, heap_used, heap_size, heap_max, cpu, threads)"
                    + " select date_trunc('minute', now()) - m * interval '1 minute', n, 60, 1000, 3, 20, 90, 4, 50, 1e9, 2e9, 4e9, 0.4, 60"
                    + " from generate_series(1, 11520) m cross join generate_series(1, 10) n",
            "insert into treadle_history (job_id, token, event, next, attempt, node, claimed_at, at, ran_micros)"
                    + " select id, n, 0, 3, 1, 1, at, at + interval '2 s', 150000 from seed where n % 100 not in (7, 8)",
            "insert into treadle_history (job_id, token, event, next, attempt, node, claimed_at, at, ran_micros, error_type, error_message, error_trace)"
                    + " select id, n, 1, case when n % 10 = 7 and n % 1000 < 900 then 4 else 5 end, 1, 1, at, at + interval '2 s', 150000,"
                    + " 'com.acme.Broken' || (n / 100) % 40, 'cause ' || (n / 100) % 40, E'com.acme.Broken: x\\n\\tat com.acme.Type.run(Type.java:1)\\n'"
                    + " from seed where n % 100 = 7",
            "insert into treadle_ready (priority, run_at, job_id, attempt) select 0, at, id, 0 from seed where n % 100 = 8 and n % 200 < 100",
            "insert into treadle_deferred (job_id, due_at, since, priority, attempt) select id, at + interval '20 days', at, 0, 0 from seed where n % 100 = 8 and n % 200 >= 100",
            "insert into treadle_lease (job_id, token, node, claimed_at, attempt) select id, n, 1, at, 1 from seed where n % 100 = 8 order by n desc limit 1000",
            "drop table seed",
            "vacuum analyze"
        };
        for (String step : steps) {
            long began = System.nanoTime();
            EmptyDatabases.execute(database, step.replace("$N", Long.toString(jobs)));
            System.out.printf(
                    Locale.ROOT,
                    "%6.1f s  %s%n",
                    (System.nanoTime() - began) / 1e9,
                    step.substring(0, Math.min(50, step.length())));
        }
    }
}
