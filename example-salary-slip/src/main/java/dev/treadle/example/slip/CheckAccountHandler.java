package dev.treadle.example.slip;

import dev.treadle.job.GiveUpException;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobRequestHandler;
import java.util.concurrent.TimeoutException;

/** A bank that knows what is wrong with some accounts, and does not answer about others. */
final class CheckAccountHandler implements JobRequestHandler<CheckAccount> {
    private static final String SLOW = "SLOW";
    private static final int DIGITS = 16;

    @Override
    public void run(CheckAccount account, JobContext job) throws TimeoutException {
        if (account.iban().contains(SLOW)) {
            throw new TimeoutException("The bank did not answer about employee " + account.employeeId() + ".");
        }
        if (account.iban().replace(" ", "").length() < DIGITS) {
            throw new InvalidIbanException(account.employeeId());
        }
    }

    /** No second look makes it right. */
    static final class InvalidIbanException extends GiveUpException {
        private static final long serialVersionUID = 1L;

        InvalidIbanException(long employeeId) {
            super("The account of employee " + employeeId + " is no IBAN.");
        }
    }
}
