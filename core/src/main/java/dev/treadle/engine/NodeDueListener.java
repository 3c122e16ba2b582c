package dev.treadle.engine;

import dev.treadle.dispatch.Dispatcher;
import dev.treadle.job.Lane;
import dev.treadle.maintenance.Promoter;
import dev.treadle.maintenance.WorkPoller;
import dev.treadle.storage.DueListener;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a node does when it is told of jobs. */
record NodeDueListener(QueueSelection serving, Dispatcher dispatcher, WorkPoller lookout, Promoter promoter)
        implements DueListener {
    @Override
    public int room(@Nullable Lane lane) {
        return dispatcher.room(lane);
    }

    @Override
    public void due(@Nullable Lane lane, int jobs) {
        if (lane == null) {
            dispatcher.jobsBecameDue();
        } else if (serving.serves(lane)) {
            dispatcher.jobsBecameDue(lane, jobs);
        }
    }

    @Override
    public void lookWithin(Duration rest) {
        lookout.pollWithin(rest);
    }

    @Override
    public void dueIn(Duration delay) {
        promoter.expect(delay);
    }
}
