package dev.treadle.example.slip;

import dev.treadle.api.JobScheduler;
import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** How the jobs of one payroll stand, asked of the storage itself. For one thread. */
final class Slips {
    private static final int ASK_MAX = 2_000;

    private final JobScheduler jobs;
    private final JobId payroll;
    private final int total;
    private List<JobId> open;
    private int succeeded;
    private int notSucceeded;
    private boolean payrollGaveUp;

    /** @param children the jobs that the payroll enqueues, or has enqueued */
    Slips(JobScheduler jobs, JobId payroll, List<JobId> children) {
        this.jobs = jobs;
        this.payroll = payroll;
        this.total = children.size();
        this.open = children;
    }

    /** Asks anew about those that had not ended. */
    void look() {
        StateName parent = jobs.states(List.of(payroll)).get(payroll);
        payrollGaveUp = parent == StateName.FAILED || parent == StateName.CANCELLED || parent == StateName.PARKED;
        open = IntStream.iterate(0, from -> from < open.size(), from -> from + ASK_MAX)
                .mapToObj(from -> open.subList(from, Math.min(open.size(), from + ASK_MAX)))
                .flatMap(some -> stillOpen(some).stream())
                .toList();
    }

    private List<JobId> stillOpen(List<JobId> some) {
        Map<JobId, StateName> states = jobs.states(some);
        states.values().forEach(state -> {
            if (state == StateName.SUCCEEDED) {
                succeeded++;
            } else if (state.isFinal()) {
                notSucceeded++;
            }
        });
        return some.stream()
                .filter(id -> states.get(id) == null || !states.get(id).isFinal())
                .toList();
    }

    int total() {
        return total;
    }

    int succeeded() {
        return succeeded;
    }

    int ended() {
        return succeeded + notSucceeded;
    }

    /** Nothing more will come: all have ended, or the payroll itself gave up before it had enqueued them. */
    boolean isOver() {
        return open.isEmpty()
                || payrollGaveUp
                        && jobs.states(open.subList(0, Math.min(open.size(), ASK_MAX)))
                                .isEmpty();
    }
}
