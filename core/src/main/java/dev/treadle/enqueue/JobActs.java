package dev.treadle.enqueue;

import dev.treadle.job.Failure;
import dev.treadle.job.JobId;
import dev.treadle.job.JobResult;
import dev.treadle.job.JobStep;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.JobAction;
import java.util.List;
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
            services.gates().run();
            // it may have let the next of its key go on
            services.due().run();
            tell(id, result, StateName.CANCELLED, why);
        });
        return result;
    }

    /** @param action which of the two that make a job run again */
    WriteResult runAgain(JobAction action, JobId id, String by, @Nullable String why) {
        WriteResult result = access.storage()
                .act(action, new OperatorNote(by, why), List.of(id), null)
                .get(0);
        access.afterCommit().accept(() -> {
            services.due().run();
            services.gates().run();
            tell(id, result, StateName.ENQUEUED, why);
        });
        return result;
    }

    WriteResult signal(JobId id, String name, Object value) {
        if (name.isBlank() || name.length() > JobStep.NAME_CHARS_MAX) {
            throw new IllegalArgumentException("The name of an event has 1 to " + JobStep.NAME_CHARS_MAX
                    + " characters: give the one that the job awaits.");
        }
        JobResult kept = services.results().writeAs(value, value.getClass());
        if (kept.json() == null) {
            throw new IllegalArgumentException(
                    "The event '" + name + "' of job " + id + " cannot be stored. " + kept.whyNotKept());
        }
        WriteResult result = access.storage().runs().gates().signal(id, name, kept.json(), null);
        access.afterCommit().accept(services.gates());
        return result;
    }

    private void tell(JobId id, WriteResult result, StateName to, @Nullable String why) {
        if (result instanceof WriteResult.Written) {
            services.interceptors().stateChanged(id, to, why == null ? null : Failure.because("", why));
        }
    }
}
