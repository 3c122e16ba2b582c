package dev.treadle.example.slip;

import dev.treadle.api.JobOptions;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.JobRequest;
import dev.treadle.job.RetryPolicy;
import dev.treadle.schedule.Schedule;
import java.time.Duration;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Ask the bank whether an account is right. Some of these are meant to fail, so that the dashboard has failures to show.
 *
 * @param period     the month that is paid
 * @param employeeId whose account
 * @param iban       as it was typed in
 */
record CheckAccount(YearMonth period, long employeeId, String iban) implements JobRequest<Void> {
    private static final int WRONG = 13;
    private static final int UNANSWERED = 7;
    private static final int RIGHT = 20;

    /** When slips are under way, so that they do not stand behind all of them. */
    private static final Duration SOON = Duration.ofSeconds(8);

    private static final RetryPolicy TWICE = RetryPolicy.DEFAULT
            .withAttempts(2)
            .withDelays(Duration.ofSeconds(4), Duration.ofSeconds(4))
            .withJitter(0);

    /** Accounts that are wrong, accounts about which the bank does not answer, and some that are right. */
    static void enqueueSome(JobScheduler jobs, PayrollRun run) {
        JobScheduler checks = jobs.with(
                JobOptions.DEFAULT.withIdsUnder(run.id()).withRetries(TWICE).withLabels("bank"));
        Stream.of(
                        some(run, 0, WRONG, "BE00 0000"),
                        some(run, WRONG, UNANSWERED, "NL91 SLOW 0417 1643 00"),
                        some(run, WRONG + UNANSWERED, RIGHT, "BE68 5390 0754 7034"))
                .flatMap(some -> some)
                .forEach(check -> checks.schedule(SOON, check));
        CheckAccount own = new CheckAccount(run.period(), 0, "BE71 0961 2345 6769");
        jobs.recurring("company-account", Schedule.every(Duration.ofSeconds(15)), own);
        jobs.recurring("yearly-statements", Schedule.cron("0 6 2 1 *", ZoneId.systemDefault()), own);
    }

    private static Stream<CheckAccount> some(PayrollRun run, int after, int count, String iban) {
        return LongStream.rangeClosed(after + 1L, after + count)
                .mapToObj(id -> new CheckAccount(run.period(), id, iban));
    }
}
