package dev.treadle.dashboard;

import dev.treadle.Treadle;
import dev.treadle.api.JobOptions;
import dev.treadle.dashboard.guard.Role;
import dev.treadle.job.GiveUpException;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobScope;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.Secret;
import dev.treadle.job.StateName;
import dev.treadle.schedule.Schedule;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.storage.admin.JobQuery;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A Treadle with jobs in every usual state, and its dashboard. */
final class Office implements AutoCloseable {
    /** Ends well. */
    record Greet(String name) implements JobRequest<Void> {}

    /** Ends badly, with this message. */
    record Break(String message, String apiToken) implements JobRequest<Void> {}

    /** Runs until the office closes. */
    record Hold(int number) implements JobRequest<Void> {}

    /** Forks two things, and runs with them until the office closes. */
    record Split(int number) implements JobRequest<Void> {}

    /** Tells of itself, returns something, and before that waits to be let go if it shall. */
    record Report(boolean stays) implements JobRequest<Map<String, String>> {}

    /** Runs until it is let go, whatever is wished. */
    record Stubborn(int number) implements JobRequest<Void> {}

    /** Says this in every way in which a job can. */
    record Say(String text) implements JobRequest<Map<String, String>> {}

    /** Does things once, the last of which fails for good at the first attempt. */
    record Ship(long order) implements JobRequest<Void> {}

    /** What was paid. */
    record Receipt(String number, int cents, @Secret String account) {}

    static final String SECRET = "canary-7f3a";

    final AdminStorage storage;
    final Treadle treadle;
    final Dashboard dashboard;
    /** How often a label was really printed. */
    final AtomicInteger shipped = new AtomicInteger();

    private final CountDownLatch end = new CountDownLatch(1);
    private final CountDownLatch gone = new CountDownLatch(1);
    private final CountDownLatch paid = new CountDownLatch(1);
    /** Whether what was built badly is built well from now on. */
    final AtomicBoolean mended = new AtomicBoolean();

    Office(StorageProvider storage, UnaryOperator<Dashboard.Builder> how) {
        this.storage = AdminStorage.of(storage);
        this.treadle = new Payroll(paid, mended)
                .handled(Treadle.on(storage))
                .handler(Greet.class, (greet, job) -> {})
                .handler(Break.class, (broken, job) -> {
                    throw new GiveUpException(broken.message());
                })
                .handler(Hold.class, (hold, job) -> {
                    end.await();
                })
                .handler(Split.class, this::split)
                .handler(Ship.class, this::ship)
                .resultHandler(Report.class, this::report)
                .resultHandler(Say.class, (say, job) -> {
                    job.log(say.text());
                    job.meta("word", say.text());
                    job.progress(1, 2);
                    return Map.of(
                            "said",
                            say.text(),
                            "more",
                            "the word is " + say.text().substring(1));
                })
                .handler(Stubborn.class, (stubborn, job) -> {
                    while (gone.getCount() > 0) {
                        try {
                            gone.await();
                        } catch (InterruptedException e) {
                            // that is what it is for
                        }
                    }
                })
                .settings(JobServerSettings.DEFAULT
                        .withName("office")
                        .withResource("pdf", 2)
                        .withWorkers(8)
                        .withStopPatience(Duration.ofSeconds(1)))
                .start();
        this.dashboard =
                how.apply(Dashboard.of(treadle).port(0).title("Office")).start();
    }

    static Office open(StorageProvider storage) {
        return new Office(storage, builder -> builder.withoutSignIn(Role.ADMIN));
    }

    static Office withUsers(StorageProvider storage) {
        return new Office(
                storage,
                builder -> builder.user("vic", "viewer-password", Role.VIEWER)
                        .user("ada", "operator-password", Role.OPERATOR));
    }

    private Void split(Split split, JobContext job) throws Exception {
        try (JobScope scope = job.scope()) {
            scope.fork("update-inventory", this::updateInventory);
            scope.fork("update-order", this::updateInventory);
            end.await();
            scope.join();
        }
        return null;
    }

    private boolean updateInventory() throws InterruptedException {
        end.await();
        return true;
    }

    private void ship(Ship order, JobContext job) throws Exception {
        job.step("pay", () -> new Receipt("R-" + order.order(), 1_250, SECRET));
        job.step("reserve " + SECRET.length() + " items in the warehouse that is nearest to the customer", () -> {});
        job.step("print-label", () -> shipped.incrementAndGet() + " " + "label ".repeat(1_000));
        if (shipped.get() == 1) {
            throw new GiveUpException("the carrier's office is closed");
        }
        job.step("hand-over", () -> true);
    }

    private Map<String, String> report(Report report, JobContext job) throws InterruptedException {
        job.progress(340, 2_000);
        job.meta("file", "slips-03.pdf");
        job.meta("apiToken", SECRET);
        job.log("read the template");
        job.log("wrote 340 slips, token=" + SECRET);
        job.log("the printer is slow today, which makes this a line that has to be broken somewhere on a telephone");
        if (report.stays()) {
            gone.await();
        }
        return Map.of("slips", "2000", "apiToken", SECRET);
    }

    /** Lets those go that wait for it. */
    void letGo() {
        gone.countDown();
    }

    /** Lets the slips go that stay. */
    void pay() {
        paid.countDown();
    }

    /** Jobs in every usual state; two groups of failures. */
    Office fill() {
        treadle.jobs().enqueueAll(Stream.of(new Greet("ada"), new Greet("bob"), new Greet("eve")));
        for (int i = 0; i < 4; i++) {
            treadle.jobs().enqueue(new Break("boom " + i, SECRET));
        }
        JobId hold = treadle.jobs().enqueue(new Hold(1));
        treadle.jobs()
                .with(JobOptions.DEFAULT.withName("Later one").withLabels("vip"))
                .schedule(Duration.ofHours(2), new Greet("later"));
        JobId cancelled = treadle.jobs().schedule(Duration.ofHours(3), new Greet("never"));
        treadle.jobs().cancel(cancelled, "a test", null);
        treadle.jobs().recurring("nightly", Schedule.cron("30 " + hourFarAway() + " * * *"), new Greet("night"));
        Awaitility.await()
                .until(() -> count(StateName.SUCCEEDED) >= 3
                        && count(StateName.FAILED) >= 4
                        && count(StateName.PROCESSING) == 1);
        untilItWaits(hold);
        dashboard.look();
        return this;
    }

    /** Half a day from now, in UTC: the job that recurs shall not run while a test counts. */
    private static int hourFarAway() {
        return (Clock.systemUTC().instant().atZone(ZoneOffset.UTC).getHour() + 12) % 24;
    }

    /** Until a job's code has been reached and waits to be let go; its state alone says that it has a thread. */
    void untilItWaits(JobId id) {
        Awaitility.await()
                .until(() -> treadle.server().orElseThrow().stacksOf(id).stream()
                        .flatMap(stack -> stack.frames().stream())
                        .anyMatch(frame -> frame.getClassName().equals(CountDownLatch.class.getName())));
    }

    /** Two queues more, one at rest with something in it. */
    void restQueues() {
        treadle.queues().pause("mail", "ada", "the relay is down", Duration.ofHours(2));
        treadle.queues().pause("reports", "ada", null);
        treadle.jobs()
                .with(JobOptions.DEFAULT.withQueue("mail"))
                .enqueueAll(Stream.of(new Greet("ada"), new Greet("bob")));
    }

    void failMany(int count) {
        long before = count(StateName.FAILED);
        List<Break> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(new Break("many " + i, SECRET));
        }
        treadle.jobs().with(JobOptions.DEFAULT.withRetries(RetryPolicy.NEVER)).enqueueAll(all.stream());
        Awaitility.await().until(() -> count(StateName.FAILED) == before + count);
    }

    long count(StateName state) {
        return storage.search().counts().getOrDefault(state, 0L);
    }

    JobId one(StateName state) {
        return storage.search()
                .list(JobQuery.in(state), null, 1)
                .lines()
                .get(0)
                .job()
                .id();
    }

    String url() {
        String url = dashboard.uri().toString();
        return url.substring(0, url.length() - 1);
    }

    @Override
    public void close() {
        end.countDown();
        gone.countDown();
        paid.countDown();
        dashboard.close();
        treadle.close();
    }
}
