package dev.treadle.invoke;

import dev.treadle.job.ChunkJob;
import dev.treadle.job.Job;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobRequest;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One job in the call that runs a chunk. Thread-safe. */
final class RunInChunk implements ChunkJob<JobRequest<Object>, Object> {
    private static final Ending OVER = new Ending(null, null);

    private final Attempt attempt;
    private final RunContext context;
    private final Object request;
    /** How the code said that it ended; null while it has not said so. */
    private final AtomicReference<@Nullable Ending> said = new AtomicReference<>();

    /** Whether forks were cut off that it had not joined. Used by the thread of the call. */
    private boolean cutOff;

    RunInChunk(Attempt attempt, RunContext context, Object request) {
        this.attempt = attempt;
        this.context = context;
        this.request = request;
    }

    /**
     * How one job ended.
     *
     * @param result what it returned; null if nothing
     * @param thrown why it failed; null if it succeeded
     */
    record Ending(@Nullable Object result, @Nullable Throwable thrown) {}

    Attempt attempt() {
        return attempt;
    }

    RunContext run() {
        return context;
    }

    Job job() {
        return attempt.lease().job();
    }

    @Override
    @SuppressWarnings("unchecked") // the handler was bound to the type of its requests when it was registered
    public JobRequest<Object> request() {
        return (JobRequest<Object>) request;
    }

    @Override
    public JobContext context() {
        return context;
    }

    @Override
    public void succeed(@Nullable Object result) {
        say(new Ending(result, null));
    }

    @Override
    public void fail(Throwable why) {
        say(new Ending(null, why));
    }

    private void say(Ending how) {
        if (!said.compareAndSet(null, how)) {
            throw new IllegalStateException(
                    said.get() == OVER
                            ? "The call that ran job " + context.jobId() + " has ended, and the job with it."
                            : "It was said before how job " + context.jobId() + " ended. Say it once for each job.");
        }
        attempt.leavesCall();
    }

    /** The call has ended, and no fork of the job goes on. */
    void over() {
        cutOff = attempt.shutScopes();
    }

    /** How it ended, if the call did so by throwing that, or by returning if it is null. */
    Ending ending(@Nullable Throwable thrown) {
        Ending mine = said.compareAndExchange(null, OVER);
        Ending ending = mine == null ? new Ending(null, thrown) : mine;
        return cutOff && ending.thrown == null
                ? new Ending(null, RunScope.cutOff(RunScope.nameOf(context.jobId())))
                : ending;
    }
}
