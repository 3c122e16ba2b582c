package dev.treadle.example.shop.experiment;

import dev.treadle.job.JobContext;
import dev.treadle.job.JobRequestHandler;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** Jobs that wait, and who waits for them. */
@Component
@Profile(Watch.PROFILE)
class Blocks implements JobRequestHandler<Block> {
    private final Semaphore done = new Semaphore(0);

    @Override
    public void run(Block block, JobContext job) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(block.millis());
        done.release();
    }

    /** Returns when so many more have run. */
    void await(int jobs) throws InterruptedException {
        done.acquire(jobs);
    }
}
