package dev.treadle.executor;

import java.util.concurrent.ScheduledThreadPoolExecutor;

/** Written to the published interface and nothing else: it extends a pool of the JDK, as the published default does. */
public class PublishedPoolExecutor extends ScheduledThreadPoolExecutor implements JobRunrExecutor {
    public PublishedPoolExecutor() {
        super(4);
    }

    @Override
    public Integer getPriority() {
        return 10;
    }

    @Override
    public void start() {
        prestartAllCoreThreads();
    }

    @Override
    public void stop() {
        shutdown();
    }
}
