package dev.treadle.example.slip;

import dev.treadle.api.JobScheduler;
import dev.treadle.example.slip.ApprovedPayroll.Decision;
import dev.treadle.job.GateId;
import dev.treadle.job.JobId;
import java.io.Console;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The demo's side of a payroll that waits for a person: its ids, and the person at the console. */
final class Approval {
    private static final Duration END_WITHIN = Duration.ofMinutes(1);

    private final PrintStream out;
    private final @Nullable Console console;

    /** @param console where the person is; null if there is none, so that every payroll is approved */
    Approval(PrintStream out, @Nullable Console console) {
        this.out = out;
        this.console = console;
    }

    /** Another id than that of the payroll that does not wait: one may follow the other in the same folder. */
    static JobId payroll(PayrollRun run) {
        return run.id().derive(ApprovedPayroll.APPROVAL);
    }

    /** The jobs that the payroll spawns for its slips; their ids are known without it. */
    static List<JobId> slips(PayrollRun run) {
        GateId gate = GateId.of(payroll(run), ApprovedPayroll.SLIPS);
        return LongStream.range(0, run.employees()).mapToObj(gate::child).toList();
    }

    /** Asks the person, tells the payroll, and waits for its end. */
    void decide(JobScheduler jobs, PayrollRun run) throws InterruptedException {
        JobId id = payroll(run);
        jobs.signal(id, ApprovedPayroll.APPROVAL, ask());
        try {
            Decision decision = jobs.await(id, Decision.class, END_WITHIN).orElseThrow();
            out.println("The payroll has ended as " + decision + ".");
        } catch (TimeoutException e) {
            out.println("The payroll still waits, perhaps for its report. The dashboard says what for.");
        }
    }

    private Decision ask() {
        if (console == null) {
            return Decision.APPROVED;
        }
        out.println("All slips have ended, and the payroll waits, without a thread. Approve it? (y/n)");
        String answer = console.readLine();
        return answer != null && answer.strip().equalsIgnoreCase("y") ? Decision.APPROVED : Decision.REFUSED;
    }
}
