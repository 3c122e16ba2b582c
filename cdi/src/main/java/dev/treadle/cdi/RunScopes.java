package dev.treadle.cdi;

import dev.treadle.job.Job;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobInterceptor;
import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.inject.Instance;
import org.jspecify.annotations.Nullable;

/** Each run has a request context of its own, and ends the dependent object that it was called on. Thread-safe. */
final class RunScopes implements JobInterceptor {
    private final Instance<RequestContextController> requests;
    /** What was made for the run that begins on this thread. */
    private final ThreadLocal<@Nullable BeanUse> receivers = new ThreadLocal<>();

    RunScopes(Instance<RequestContextController> requests) {
        this.requests = requests;
    }

    /** Ends this with the run that begins on this thread. */
    void receives(BeanUse receiver) {
        endReceiver();
        receivers.set(receiver);
    }

    @Override
    public @Nullable Object onRun(Job job, JobContext context, Next next) throws Throwable {
        Instance.Handle<RequestContextController> handle = requests.getHandle();
        try {
            RequestContextController request = handle.get();
            boolean isNew = request.activate();
            try {
                return next.run();
            } finally {
                if (isNew) {
                    request.deactivate();
                }
            }
        } finally {
            handle.destroy();
            endReceiver();
        }
    }

    private void endReceiver() {
        BeanUse receiver = receivers.get();
        if (receiver != null) {
            receivers.remove();
            receiver.close();
        }
    }
}
