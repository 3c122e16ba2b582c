package dev.treadle.engine;

import dev.treadle.dispatch.Dispatcher;
import dev.treadle.job.Due;
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
 */
record NewWork(Dispatcher dispatcher, Runnable promote) {
    /** These were kept. */
    void announce(List<NewJob> jobs) {
        Set<Lane> due = new LinkedHashSet<>();
        boolean rated = false;
        for (NewJob job : jobs) {
            if (job.due() instanceof Due.Now) {
                due.add(job.lane());
            }
            rated |= job.traits().key() instanceof KeyRule.Rate;
        }
        due.forEach(dispatcher::jobsBecameDue);
        if (due.isEmpty() || rated) {
            // jobs of an exhausted rate become due when the rate allows more, which may be before the next look
            promote.run();
        }
    }
}
