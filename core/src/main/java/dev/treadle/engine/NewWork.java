package dev.treadle.engine;

import dev.treadle.dispatch.Dispatcher;
import dev.treadle.job.Due;
import dev.treadle.job.EnqueueResult;
import dev.treadle.job.KeyRule;
import dev.treadle.job.Lane;
import dev.treadle.storage.NewJob;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Wakes the chores that will claim or promote new jobs of this process.
 *
 * @param promote ends the rest of the chore that promotes
 * @param gates   the same of the one that looks at gates
 */
record NewWork(Dispatcher dispatcher, Runnable promote, Runnable gates) {
    /** A unique job was asked for, and this became of it. */
    void announce(EnqueueResult answer) {
        if (answer.answer() == EnqueueResult.Answer.ENQUEUED || answer.answer() == EnqueueResult.Answer.REPLACED) {
            dispatcher.jobsBecameDue();
            promote.run();
        }
    }

    /** These were kept. */
    void announce(List<NewJob> jobs) {
        Set<Lane> due = new LinkedHashSet<>();
        boolean rated = false;
        boolean following = false;
        for (NewJob job : jobs) {
            if (job.due() instanceof Due.Now) {
                due.add(job.lane());
            }
            following |= job.due() instanceof Due.AfterJobs;
            rated |= job.traits().key() instanceof KeyRule.Rate;
        }
        due.forEach(dispatcher::jobsBecameDue);
        if (due.isEmpty() || rated) {
            // jobs of an exhausted rate become due when the rate allows more, which may be before the next look
            promote.run();
        }
        if (following) {
            // those that they run after may have ended
            gates.run();
        }
    }
}
