package dev.treadle.example.slip;

import dev.treadle.job.JobId;
import java.time.YearMonth;

/**
 * One run of the payroll: its parent job and what it is about.
 *
 * @param resumed a process that ended before its time had begun this run
 */
record PayrollRun(JobId id, YearMonth period, int employees, boolean resumed) {}
