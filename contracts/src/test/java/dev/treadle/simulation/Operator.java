package dev.treadle.simulation;

import dev.treadle.job.Due;
import dev.treadle.job.OperatorNote;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.admin.AdminStorage;
import java.util.List;

/** A person who cancels jobs and runs them again. */
final class Operator implements FaultyStorage.Actor {
    private final Cluster cluster;
    private final AdminStorage storage;

    Operator(Cluster cluster) {
        this.cluster = cluster;
        this.storage = cluster.connect(this);
    }

    @Override
    public String name() {
        return "op";
    }

    @Override
    public boolean isGone() {
        return false;
    }

    void act() {
        List<JobTrack> all = List.copyOf(cluster.ledger().all());
        if (all.isEmpty()) {
            return;
        }
        if (cluster.dice().chance(0.3)) {
            pauseOrResume(cluster.dice().pick(cluster.plan().lanes()).queue());
            return;
        }
        JobTrack track = cluster.dice().pick(all);
        boolean cancels = cluster.dice().chance(0.5);
        cluster.notes().say(name(), cancels ? "cancels" : "runs again", track);
        try {
            OperatorNote move = new OperatorNote("op", null);
            if (cancels) {
                storage.cancel(track.id, move);
            } else {
                storage.runAgain(track.id, move);
            }
        } catch (StorageException e) {
            // looks again later, as people do
        }
    }

    private void pauseOrResume(String queue) {
        Dice dice = cluster.dice();
        OperatorNote move = new OperatorNote("op", null);
        try {
            if (dice.chance(0.5)) {
                cluster.notes().say(name(), "resumes", queue);
                storage.queues().resume(queue, move);
            } else {
                Due until = dice.chance(0.5) ? null : new Due.After(dice.millis(100, 4_000));
                cluster.notes().say(name(), "pauses", queue + " until " + until);
                storage.queues().pause(queue, move, until);
            }
        } catch (StorageException e) {
            // looks again later, as people do
        }
    }
}
