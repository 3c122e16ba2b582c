package dev.treadle.enqueue;

import dev.treadle.job.Failure;
import dev.treadle.job.JobId;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import org.jspecify.annotations.Nullable;

/**
 * What people and programs do to jobs that are there already.
 *
 * @param access   where it is written
 * @param services who hears of it after the commit
 */
record JobActs(StorageAccess access, SchedulerServices services) {
    WriteResult cancel(JobId id, String by, @Nullable String why) {
        WriteResult result = access.storage().cancel(id, new OperatorNote(by, why));
        access.afterCommit().accept(() -> {
            services.cancelled().run();
            // it may have let the next of its key go on
            services.due().run();
            tell(id, result, StateName.CANCELLED, why);
        });
        return result;
    }

    WriteResult runAgain(JobId id, String by, @Nullable String why, boolean keepsSteps) {
        WriteResult result = access.storage().runAgain(id, new OperatorNote(by, why), keepsSteps);
        access.afterCommit().accept(() -> {
            services.due().run();
            tell(id, result, StateName.ENQUEUED, why);
        });
        return result;
    }

    private void tell(JobId id, WriteResult result, StateName to, @Nullable String why) {
        if (result instanceof WriteResult.Written) {
            services.interceptors().stateChanged(id, to, why == null ? null : Failure.because("", why));
        }
    }
}
