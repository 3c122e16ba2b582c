package dev.treadle.example.slip;

import dev.treadle.job.JobRequest;
import java.time.YearMonth;

/** What a person reads before approving a payroll. */
record ReportPayroll(YearMonth period, long slips, long missing) implements JobRequest<Void> {}
