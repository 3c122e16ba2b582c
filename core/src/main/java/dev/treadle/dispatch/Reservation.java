package dev.treadle.dispatch;

import dev.treadle.dispatch.WorkerPool.Starter;
import dev.treadle.lifecycle.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Permits for jobs that are about to be inserted and started here. Used by one thread. */
final class Reservation {
    /** One for each permit that is held, and not used yet. */
    private final List<LocalQueue> held = new ArrayList<>();
    /** One that was full. */
    private final List<LocalQueue> tried = new ArrayList<>();

    /** Takes a permit for a job of a line; false if there is none, or if too much is held here that is not written down. */
    boolean take(LocalQueue line) {
        boolean taken = line.crew().mayHoldMore() && line.crew().tryTake(line);
        if (taken) {
            line.arrived();
        }
        (taken ? held : tried).add(line);
        return taken;
    }

    /** Starts jobs that are there now; if one cannot be started for a reason worse than a refusal, the rest goes back. */
    void start(
            List<Lease> born,
            Function<Lease, LocalQueue> lines,
            BiConsumer<LocalQueue, Lease> start,
            BiConsumer<LocalQueue, Lease> giveBack) {
        int begun = 0;
        try {
            for (Lease lease : born) {
                begun++;
                hand(lease, lines, start);
            }
        } finally {
            born.subList(begun, born.size()).forEach(lease -> hand(lease, lines, giveBack));
        }
    }

    private void hand(Lease lease, Function<Lease, LocalQueue> lines, BiConsumer<LocalQueue, Lease> to) {
        LocalQueue line = lines.apply(lease);
        use(line);
        to.accept(line, lease);
    }

    /** A job is there, holds the permit from now on, and gives it back. */
    private void use(LocalQueue line) {
        held.remove(line);
        line.countClaimed();
    }

    /** Gives back what was not used, and starts jobs that came in the meantime and found no permit. */
    void giveBack(Starter start) {
        for (LocalQueue line : held) {
            line.written();
            line.crew().giveBack(line);
        }
        tried.addAll(held);
        tried.stream().distinct().forEach(line -> line.crew().handOver(line, start));
    }
}
