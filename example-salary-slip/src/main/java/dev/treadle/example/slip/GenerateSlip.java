package dev.treadle.example.slip;

import dev.treadle.job.JobRequest;
import java.time.YearMonth;

/** One employee's slip for one month. */
record GenerateSlip(YearMonth period, long employeeId) implements JobRequest<Void> {}
