package dev.treadle.benchmark;

import java.util.function.Consumer;

/** What every job does: note that it began, block for as long as it says, note that it ended. */
final class JobBody implements Consumer<Work> {
    private volatile RunLog log = new RunLog(0);

    /** Whatever runs from now on is noted here. */
    void noteIn(RunLog log) {
        this.log = log;
    }

    @Override
    public void accept(Work work) {
        RunLog now = log;
        now.began(work, System.nanoTime());
        if (work.millis() > 0) {
            try {
                Thread.sleep(work.millis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
        now.ended(work);
    }
}
