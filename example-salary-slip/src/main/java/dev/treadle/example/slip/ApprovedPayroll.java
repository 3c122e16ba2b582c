package dev.treadle.example.slip;

import dev.treadle.job.JobRequest;
import java.time.YearMonth;

/**
 * A month's payroll that waits: for the slips that it spawns, for the report on them, and for a person who approves it.
 * While it waits it holds no thread.
 */
record ApprovedPayroll(YearMonth period) implements JobRequest<ApprovedPayroll.Decision> {
    /** What the slips are spawned as, one for each employee in the order of their ids. */
    static final String SLIPS = "slip";

    /** The name of the event that ends the wait for a person. */
    static final String APPROVAL = "approval";

    /** What a person says about the payroll. */
    enum Decision {
        APPROVED,
        REFUSED
    }
}
