package dev.treadle.invoke;

import dev.treadle.job.ChildResults;
import dev.treadle.job.GiveUpException;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JoinRule;
import dev.treadle.lifecycle.Gate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The job that waits for the jobs of a batch: it has no code of an application, so every node can run it. */
public final class BatchJob {
    /** What is stored as its type. No class has this name. */
    static final String TYPE = "treadle.Batch";

    /** What is stored of it. */
    public static final Invocation INVOCATION = new Invocation(TYPE, null, "{}");

    private BatchJob() {}

    /** Ends as the jobs of the batch have ended, or waits for them again if some were run again. */
    static @Nullable Object run(JobContext batch) {
        // they are there: the stream is not read
        Stream<JobRequest<Object>> none = Stream.empty();
        ChildResults<Object> all = batch.spawn(Gate.BATCH, none).join(JoinRule.ALL_END);
        if (all.failedCount() > 0) {
            String first = all.failed()
                    .findFirst()
                    .map(failed -> ", such as job " + failed.id() + " (" + failed.state() + ": " + failed.why() + ")")
                    .orElse("");
            throw new GiveUpException(all.failedCount() + " of " + all.count() + " jobs of the batch have not succeeded"
                    + first + ". Run those again, and then the batch: it waits for them.");
        }
        return null;
    }
}
