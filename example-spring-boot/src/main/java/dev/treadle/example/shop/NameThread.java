package dev.treadle.example.shop;

import dev.treadle.job.JobContext;
import dev.treadle.job.JobRequest;
import dev.treadle.job.ResultHandler;
import org.springframework.stereotype.Component;

/** Asks a job for the thread it runs on. */
record NameThread() implements JobRequest<NameThread.Named> {
    /**
     * @param thread          as it prints itself
     * @param findsOurClasses whether its context class loader is that of the application
     */
    record Named(String thread, boolean findsOurClasses) {}

    /** Answers. */
    @Component
    static class Handler implements ResultHandler<NameThread, Named> {
        @Override
        public Named run(NameThread request, JobContext job) {
            Thread current = Thread.currentThread();
            return new Named(current.toString(), current.getContextClassLoader() == NameThread.class.getClassLoader());
        }
    }
}
