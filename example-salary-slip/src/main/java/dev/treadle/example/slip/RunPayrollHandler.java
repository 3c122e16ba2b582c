package dev.treadle.example.slip;

import dev.treadle.api.JobOptions;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobRequestHandler;
import java.util.function.Supplier;

/**
 * Enqueues one job for each employee. The children's ids derive from this job's id and from what they call, so a
 * payroll that is repeated after a crash enqueues no employee twice.
 */
final class RunPayrollHandler implements JobRequestHandler<RunPayroll> {
    private final EmployeeDirectory employees;
    private final Supplier<JobScheduler> jobs;

    /** @param jobs asked when a payroll runs: the scheduler is built after its handlers */
    RunPayrollHandler(EmployeeDirectory employees, Supplier<JobScheduler> jobs) {
        this.employees = employees;
        this.jobs = jobs;
    }

    @Override
    public void run(RunPayroll payroll, JobContext job) throws Exception {
        jobs.get()
                .with(JobOptions.DEFAULT.withIdsUnder(job.jobId()))
                .enqueueAll(employees.ids().stream().map(id -> new GenerateSlip(payroll.period(), id)));
    }
}
