package dev.treadle.example.slip;

import dev.treadle.job.JobRequest;
import java.time.YearMonth;

/** A month's payroll: the parent of one job for each employee. */
record RunPayroll(YearMonth period) implements JobRequest<Void> {}
