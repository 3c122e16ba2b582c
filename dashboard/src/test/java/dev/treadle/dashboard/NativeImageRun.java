package dev.treadle.dashboard;

import dev.treadle.Treadle;
import dev.treadle.api.RecurringJobs;
import dev.treadle.dashboard.guard.Role;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.schedule.RecurringRules;
import dev.treadle.schedule.Schedule;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Uses what may be used in a native image: typed requests, recurring jobs, a job's own transaction, the dashboard. */
public final class NativeImageRun implements Runnable {
    record Add(int a, int b) implements JobRequest<Integer> {}

    /** Read and written by the binding of Jackson, because of its list. */
    record Sum(List<Integer> numbers) implements JobRequest<Integer> {}

    /** Made by the test. */
    public NativeImageRun() {}

    @Override
    public void run() {
        try (Treadle treadle = Treadle.on(SqlStorageProvider.h2Memory("native-image"))
                        .resultHandler(Add.class, (add, job) -> job.transaction(connection -> add.a() + add.b()))
                        .resultHandler(
                                Sum.class,
                                (sum, job) -> sum.numbers().stream()
                                        .mapToInt(Integer::intValue)
                                        .sum())
                        .start();
                Dashboard dashboard =
                        Dashboard.of(treadle).port(0).withoutSignIn(Role.ADMIN).start()) {
            JobId id = treadle.jobs().enqueue(new Add(1, 2));
            expect(3, treadle.jobs().await(id, Integer.class, Duration.ofSeconds(60)));
            JobId second = treadle.jobs().enqueue(new Sum(List.of(1, 2, 3)));
            expect(6, treadle.jobs().await(second, Integer.class, Duration.ofSeconds(60)));
            RecurringJobs recurring = treadle.jobs().recurring();
            recurring.declare(
                    "tidy",
                    Schedule.every(Duration.ofHours(1)),
                    RecurringRules.DEFAULT,
                    NativeImageTest.Tidy.class,
                    "tidy");
            expect(
                    7,
                    treadle.jobs()
                            .await(recurring.trigger("tidy").orElseThrow(), Integer.class, Duration.ofSeconds(60)));
            Http http = new Http(dashboard.uri());
            for (String path : List.of("/", "/api/v1/openapi.json", "/api/v1/jobs", "/api/v1/jobs/" + id)) {
                int status = http.get(path).status();
                if (status != 200) {
                    throw new IllegalStateException(path + " was answered with " + status);
                }
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void expect(int sum, Optional<Integer> found) {
        if (!found.equals(Optional.of(sum))) {
            throw new IllegalStateException(found + " is not " + sum);
        }
    }
}
