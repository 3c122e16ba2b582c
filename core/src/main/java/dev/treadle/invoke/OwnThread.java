package dev.treadle.invoke;

import dev.treadle.job.JobId;

/** Refuses what only the job's own code may do, on its own thread and while its run has not ended. */
final class OwnThread {
    private OwnThread() {}

    /**
     * Refuses it to others than the code of the run.
     *
     * @param thread on which that runs
     * @param over   what is said of a run that has ended
     * @param what   is only for the job's own code
     * @param cure   what to do instead of it in forks
     */
    static void demand(Attempt attempt, Thread thread, boolean ended, String over, String what, String cure) {
        JobId id = attempt.lease().job().id();
        Thread caller = Thread.currentThread();
        if (ended) {
            throw new IllegalStateException("The run of job " + id + " has ended, so " + over);
        }
        if (caller != thread || attempt.forkOn(caller) != null) {
            throw new IllegalStateException(what + " by the job's own code on its own thread, and this"
                    + " is a fork or another thread of job " + id + ". Let forks return what they found, and " + cure);
        }
    }
}
