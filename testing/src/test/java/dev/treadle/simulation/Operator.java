package dev.treadle.simulation;

import dev.treadle.storage.Move;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import java.util.List;

/** A person who cancels jobs and runs them again. */
final class Operator implements FaultyStorage.Actor {
    private final Cluster cluster;
    private final StorageProvider storage;

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
        JobTrack track = cluster.dice().pick(all);
        boolean cancels = cluster.dice().chance(0.5);
        cluster.notes().say(name(), cancels ? "cancels" : "runs again", track);
        try {
            Move move = new Move("op", null);
            if (cancels) {
                storage.cancel(track.id, move);
            } else {
                storage.runAgain(track.id, move);
            }
        } catch (StorageException e) {
            // looks again later, as people do
        }
    }
}
