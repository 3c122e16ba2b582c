package dev.treadle.benchmark;

import java.util.function.Consumer;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;

/** Work as JobRunr wants it: a request that names its handler. Public because JobRunr makes it from JSON. */
public record JobRunrWork(int number, long sentAt, int millis) implements JobRequest {

    static JobRunrWork of(Work work) {
        return new JobRunrWork(work.number(), work.sentAt(), work.millis());
    }

    @Override
    @SuppressWarnings("rawtypes") // as JobRunr declares it
    public Class<? extends JobRequestHandler> getJobRequestHandler() {
        return Handler.class;
    }

    /** Runs it. */
    public static final class Handler implements JobRequestHandler<JobRunrWork> {
        private final Consumer<Work> body;

        Handler(Consumer<Work> body) {
            this.body = body;
        }

        @Override
        public void run(JobRunrWork request) {
            body.accept(new Work(request.number, request.sentAt, request.millis));
        }
    }
}
