package dev.treadle.engine;

import dev.treadle.invoke.Invoker;
import dev.treadle.job.Due;
import dev.treadle.storage.NewJob;
import java.util.List;

/** Which new jobs a node may start at once, with no claim in between. */
final class DirectStartRule {
    private DirectStartRule() {}

    static boolean all(List<NewJob> jobs, QueueSelection selection, Invoker invoker) {
        for (NewJob job : jobs) {
            if (!one(job, selection, invoker)) {
                return false;
            }
        }
        return true;
    }

    private static boolean one(NewJob job, QueueSelection selection, Invoker invoker) {
        // what uses resources is claimed when they are free
        return job.due() instanceof Due.Now
                && job.traits().uses().isEmpty()
                && selection.serves(job.lane())
                && job.traits().key() == null
                // it is put to others of its type when it is claimed
                && invoker.chunkRule(job.invocation()) == null
                && invoker.knows(job.invocation().target());
    }
}
