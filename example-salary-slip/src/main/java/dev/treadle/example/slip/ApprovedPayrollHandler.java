package dev.treadle.example.slip;

import dev.treadle.example.slip.ApprovedPayroll.Decision;
import dev.treadle.job.ChildResults;
import dev.treadle.job.Children;
import dev.treadle.job.JobContext;
import dev.treadle.job.JoinRule;
import dev.treadle.job.ResultHandler;
import java.time.Duration;

/** Spawns a slip for each employee, then a report, then waits for a decision. It is called again after each wait. */
final class ApprovedPayrollHandler implements ResultHandler<ApprovedPayroll, Decision> {
    /** Who has not been approved by then is refused. */
    private static final Duration PATIENCE = Duration.ofDays(3);

    private final EmployeeDirectory employees;

    ApprovedPayrollHandler(EmployeeDirectory employees) {
        this.employees = employees;
    }

    @Override
    public Decision run(ApprovedPayroll payroll, JobContext job) throws Exception {
        Children<Void> slips = job.spawn(
                ApprovedPayroll.SLIPS, employees.ids().stream().map(id -> new GenerateSlip(payroll.period(), id)));
        ChildResults<Void> all = slips.join(JoinRule.ALL_END);
        job.spawn("report", new ReportPayroll(payroll.period(), all.succeededCount(), all.failedCount()))
                .join();
        return job.await(ApprovedPayroll.APPROVAL, Decision.class, PATIENCE).orElse(Decision.REFUSED);
    }
}
