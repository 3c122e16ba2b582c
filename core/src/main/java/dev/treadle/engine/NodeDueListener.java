package dev.treadle.engine;

import dev.treadle.dispatch.Dispatcher;
import dev.treadle.job.Lane;
import dev.treadle.maintenance.Promoter;
import dev.treadle.maintenance.WorkPoller;
import dev.treadle.storage.DueListener;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Passes on to the chores of a node what the storage reports about jobs that others have made due. */
record NodeDueListener(QueueSelection selection, Dispatcher dispatcher, WorkPoller poller, Promoter promoter)
        implements DueListener {
    @Override
    public int room(@Nullable Lane lane) {
        return dispatcher.room(lane);
    }

    @Override
    public void due(@Nullable Lane lane, int jobs) {
        if (lane == null) {
            dispatcher.jobsBecameDue();
        } else if (selection.serves(lane)) {
            dispatcher.jobsBecameDue(lane, jobs);
        }
    }

    @Override
    public void lookWithin(Duration rest) {
        poller.pollWithin(rest);
    }

    @Override
    public void dueIn(Duration delay) {
        promoter.expect(delay);
    }
}
