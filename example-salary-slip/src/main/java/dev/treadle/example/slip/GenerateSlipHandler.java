package dev.treadle.example.slip;

import dev.treadle.job.GiveUpException;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobRequestHandler;
import java.lang.ref.Reference;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.InstantSource;

/** Asks the time clock, fills the slip, writes the PDF and sends it. Doing it twice gives the same file. */
final class GenerateSlipHandler implements JobRequestHandler<GenerateSlip> {
    private final EmployeeDirectory employees;
    private final TimeClock timeClock;
    private final SlipFiles files;
    private final PayslipMail mail = new PayslipMail();
    private final InstantSource time;
    private final int scanBytes;

    /** @param scanKilobytes how large the scans of an employee's time sheets are */
    GenerateSlipHandler(
            EmployeeDirectory employees, TimeClock timeClock, SlipFiles files, InstantSource time, int scanKilobytes) {
        this.employees = employees;
        this.timeClock = timeClock;
        this.files = files;
        this.time = time;
        this.scanBytes = scanKilobytes * 1024;
    }

    @Override
    public void run(GenerateSlip request, JobContext job) throws Exception {
        Employee employee = employees
                .find(request.employeeId())
                .orElseThrow(() -> new GiveUpException("There is no employee " + request.employeeId() + "."));
        // held until the slip is sent, as a document is that goes on with it
        byte[] scans = new byte[scanBytes];
        BigDecimal hours = timeClock.hoursOf(employee, request.period());
        SalarySlip slip = SalarySlip.of(employee, request.period(), hours);
        Path pdf = files.write(slip);
        mail.send(slip, pdf, time.instant());
        Reference.reachabilityFence(scans);
    }
}
