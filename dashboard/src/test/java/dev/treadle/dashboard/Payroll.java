package dev.treadle.dashboard;

import dev.treadle.Treadle;
import dev.treadle.job.GateId;
import dev.treadle.job.GiveUpException;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JoinRule;
import dev.treadle.job.NodeId;
import dev.treadle.job.StateName;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/** A job made of jobs, two levels deep, that waits for a person in the end. */
final class Payroll {
    /** What was spawned under this name: of each five one fails, one stays, and one is made of jobs itself. */
    static final String SLIPS = "slip";

    static final String APPROVAL = "approval";

    /** The whole. */
    record Pay(int slips, String password) implements JobRequest<String> {}

    /** One slip. */
    record Slip(int number) implements JobRequest<Void> {}

    /** Three of a lower depth each, all of which have to succeed; the second at the bottom fails until it is mended. */
    record Build(int depth, int number) implements JobRequest<Void> {}

    /** What a person decides. */
    enum Decision {
        APPROVED,
        REFUSED
    }

    private final CountDownLatch paid;
    private final AtomicBoolean mended;

    Payroll(CountDownLatch paid, AtomicBoolean mended) {
        this.paid = paid;
        this.mended = mended;
    }

    Treadle.Builder handled(Treadle.Builder builder) {
        return builder.resultHandler(Pay.class, this::pay)
                .handler(Slip.class, this::slip)
                .handler(Build.class, this::build);
    }

    private String pay(Pay pay, JobContext job) {
        job.spawn(SLIPS, IntStream.range(0, pay.slips()).mapToObj(Slip::new)).join(JoinRule.ALL_END);
        job.spawn("report <img src=/x> " + pay.password(), new Office.Greet("report"))
                .join();
        return job.await(APPROVAL, Decision.class, Duration.ofDays(3))
                .orElse(Decision.REFUSED)
                .name();
    }

    private void slip(Slip slip, JobContext job) throws InterruptedException {
        switch (slip.number() % 5) {
            case 1 -> throw new GiveUpException("no such account " + slip.number());
            case 2 -> paid.await();
            case 3 ->
                job.spawn("page", IntStream.range(0, 2).mapToObj(page -> new Office.Greet("page " + page)))
                        .join();
            default -> {
                // done
            }
        }
    }

    private void build(Build build, JobContext job) {
        if (build.depth() > 0) {
            job.spawn("part", IntStream.range(0, 3).mapToObj(number -> new Build(build.depth() - 1, number)))
                    .join();
        } else if (build.number() == 1 && !mended.get()) {
            throw new GiveUpException("it does not fit");
        }
    }

    /** One that failed because of what it is made of, with 12 jobs below it; all of it has come to rest. */
    static JobId failed(Office office) {
        long before = ended(office);
        JobId id = office.treadle.jobs().enqueue(new Build(2, 0));
        NodeId node = office.treadle.server().orElseThrow().self().id();
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> office.storage.queries().states(List.of(id)).get(id) == StateName.FAILED
                        && office.count(StateName.WAITING) == 0
                        && office.count(StateName.ENQUEUED) == 0
                        && !office.storage.outlook(node).gates()
                        && ended(office) > before);
        return id;
    }

    private static long ended(Office office) {
        return office.count(StateName.FAILED) + office.count(StateName.CANCELLED) + office.count(StateName.SUCCEEDED);
    }

    /** One that waits for its slips, of which all have ended but those that stay. */
    static JobId waiting(Office office, int slips) {
        JobId id = office.treadle.jobs().enqueue(new Pay(slips, Office.SECRET));
        int stay = (slips + 2) / 5;
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> office.storage.queries().states(List.of(id)).get(id) == StateName.WAITING
                        && left(office, id) == stay);
        office.dashboard.look();
        return id;
    }

    /** One that waits to be approved. */
    static JobId awaiting(Office office, int slips) {
        JobId id = waiting(office, slips);
        office.pay();
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> office.storage.search().gates(List.of(id), 0, 10).stream()
                                .anyMatch(seen -> seen.event() != null && seen.isAwaited())
                        && office.storage.queries().states(List.of(id)).get(id) == StateName.WAITING);
        office.dashboard.look();
        return id;
    }

    static GateId slips(JobId id) {
        return GateId.of(id, SLIPS);
    }

    private static long left(Office office, JobId id) {
        return office.storage
                .runs()
                .gates()
                .find(slips(id))
                .map(gate -> gate.spawned() - gate.ended())
                .orElse(-1L);
    }
}
