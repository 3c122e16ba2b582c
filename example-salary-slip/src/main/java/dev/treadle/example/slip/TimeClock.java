package dev.treadle.example.slip;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.YearMonth;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * The company's time clock: an old machine that takes its time to answer and blocks its caller. How long it takes and
 * what it says depends only on the question.
 *
 * @param fastest the shortest wait
 * @param slowest the longest wait
 */
record TimeClock(Duration fastest, Duration slowest) {

    /** @throws IllegalArgumentException if the waits are not a range */
    TimeClock {
        if (fastest.isNegative() || slowest.compareTo(fastest) < 0) {
            throw new IllegalArgumentException(
                    "The time clock's waits must be a range such as 3s-5s, not " + fastest + " to " + slowest + ".");
        }
    }

    /** Blocks, then says how many hours the employee worked. */
    BigDecimal hoursOf(Employee employee, YearMonth period) throws InterruptedException {
        Random answer = new Random(employee.id() * 31 + period.hashCode());
        long span = slowest.toMillis() - fastest.toMillis();
        TimeUnit.MILLISECONDS.sleep(fastest.toMillis() + Math.round(span * answer.nextDouble()));
        BigDecimal quarterHours = BigDecimal.valueOf(answer.nextInt(-16, 49)).multiply(new BigDecimal("0.25"));
        return SalarySlip.standardHours(period).add(quarterHours);
    }
}
