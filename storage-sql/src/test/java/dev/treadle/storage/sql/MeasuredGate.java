package dev.treadle.storage.sql;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.job.Due;
import dev.treadle.job.GateId;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.NodeId;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.storage.admin.JobQuery;
import dev.treadle.storage.admin.JobSearch;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;

/** A gate that counts very many jobs, of which one in a thousand failed, ten run, and the others succeeded. */
final class MeasuredGate {
    private static final Invocation CALL = new Invocation("com.acme.Slip", null, "[1]");

    private final JobSearch search;
    private final JobId parent;
    private final GateId gate;

    private MeasuredGate(JobSearch search, JobId parent) {
        this.search = search;
        this.parent = parent;
        this.gate = GateId.of(parent, "slip");
    }

    static MeasuredGate fill(AdminStorage storage, HikariDataSource database, long jobs) {
        JobId parent = JobId.of(new UUID(System.currentTimeMillis() << 16 | 0x7000, 1L << 63));
        NewJob job = new NewJob(parent, CALL, Due.NOW, JobTraits.DEFAULT);
        Lease lease = storage.insertLeased(new NodeId(1), List.of(job)).get(0);
        MeasuredGate measured = new MeasuredGate(storage.search(), parent);
        int batch = StorageProvider.BATCH_MAX;
        for (long from = 0; from < jobs; from += batch) {
            long to = Math.min(jobs, from + batch);
            List<NewJob> children = LongStream.range(from, to)
                    .mapToObj(i -> new NewJob(
                            measured.gate.child(i), CALL, Due.NOW, JobTraits.DEFAULT.withGate(measured.gate)))
                    .toList();
            storage.runs().gates().spawn(RunId.of(lease), "slip", from, children, to == jobs);
        }
        for (String step : List.of(
                "create unlogged table child as select id, row_number() over (order by id) as n from treadle_job"
                        + " where traits like '%" + measured.gate + "%'",
                "delete from treadle_ready where job_id in (select id from child)",
                "insert into treadle_lease (job_id, token, node, claimed_at, attempt)"
                        + " select id, 1000000000 + n, 1, now(), 1 from child where n <= 10",
                "insert into treadle_history (job_id, token, event, next, attempt, node, claimed_at, at, ran_micros, error_type, error_message, error_trace)"
                        + " select id, 1000000000 + n, case when n % 1000 = 0 then 1 else 0 end, case when n % 1000 = 0 then 4 else 3 end,"
                        + " 1, 1, now(), now(), 150000, case when n % 1000 = 0 then 'com.acme.Broken' end,"
                        + " case when n % 1000 = 0 then 'cause' end, case when n % 1000 = 0 then '' end from child where n > 10",
                "update treadle_gate set ended = spawned - 10, failed = spawned / 1000 where id = '" + measured.gate
                        + "'",
                "drop table child",
                "vacuum analyze")) {
            EmptyDatabases.execute(database, step);
        }
        return measured;
    }

    void questions(Map<String, Runnable> questions) {
        JobQuery all = JobQuery.ALL.withGate(gate);
        questions.put("the gates of a job", () -> search.gates(List.of(parent), 0, 100));
        questions.put("a gate, its first jobs", () -> search.list(all, null, 50));
        for (StateName state : List.of(StateName.PROCESSING, StateName.FAILED, StateName.SUCCEEDED)) {
            questions.put("a gate, " + state, () -> search.list(all.withState(state), null, 50));
        }
        questions.put("a gate, rare type, one look", () -> search.list(all.withType("no.such.type"), null, 50));
    }
}
