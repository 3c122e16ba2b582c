package dev.treadle.dispatch;

import dev.treadle.invoke.ChunkRule;
import dev.treadle.lifecycle.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One of the jobs that one call runs together. The first of a chunk stands for all until they run: it alone waits for permits
 * and holds them. Each has its own stage, so one that is cancelled or lost does not take the others with it.
 */
final class ChunkMember extends AttemptTask {
    private final Consumer<List<ChunkMember>> runner;
    private final ChunkRule rule;
    /** Whether it is one of the jobs that fill this node, which the others of a running chunk are not. */
    private final AtomicBoolean counts = new AtomicBoolean(true);
    /** Written by the dispatching thread, like the next field. */
    private volatile boolean gathers;
    /** All of its chunk, itself included; null while that is not complete. */
    private volatile @Nullable List<ChunkMember> chunk;

    /** @param runner runs members that have just begun to run, on the thread of the executor */
    ChunkMember(Consumer<List<ChunkMember>> runner, LocalQueue queue, Lease lease, ChunkRule rule) {
        super(unused -> {}, queue, lease);
        this.runner = runner;
        this.rule = rule;
    }

    ChunkRule rule() {
        return rule;
    }

    /** It waits for others. */
    void gathers() {
        gathers = true;
        count(false);
    }

    /** Others will come no more. The first is the one that waits for permits. */
    static ChunkMember complete(List<ChunkMember> gathered) {
        List<ChunkMember> all = List.copyOf(gathered);
        for (ChunkMember member : all) {
            member.chunk = all;
            member.count(true);
        }
        return all.get(0);
    }

    private void count(boolean on) {
        if (counts.compareAndSet(!on, on)) {
            queue().countAside(on ? -1 : 1);
        }
    }

    @Override
    List<? extends AttemptTask> together() {
        List<ChunkMember> all = chunk;
        return all == null ? List.of(this) : all;
    }

    @Override
    boolean isKeptToWait() {
        List<ChunkMember> all = chunk;
        return all == null ? gathers : queue().waiting().contains(all.get(0));
    }

    @Override
    boolean takePermits() {
        if (!super.takePermits()) {
            return false;
        }
        for (AttemptTask task : together()) {
            if (task != this && task instanceof ChunkMember other && other.advance(Stage.WAITING, Stage.STARTING)) {
                // one permit is taken for all of them
                other.count(false);
            }
        }
        return true;
    }

    @Override
    boolean handsOver() {
        for (AttemptTask task : together()) {
            if (task != this) {
                task.advance(Stage.STARTING, Stage.HANDED_OVER);
            }
        }
        return super.handsOver();
    }

    @Override
    public void run() {
        List<ChunkMember> begun = new ArrayList<>();
        for (AttemptTask task : together()) {
            if (task instanceof ChunkMember member && member.advance(Stage.HANDED_OVER, Stage.RUNNING)) {
                begun.add(member);
            }
        }
        if (begun.isEmpty()) {
            return;
        }
        try {
            runner.accept(begun);
        } finally {
            // has no effect on those whose ending is handed in
            begun.forEach(member -> member.advance(Stage.RUNNING, Stage.ABANDONED));
        }
    }

    @Override
    void handedIn() {
        super.handedIn();
        // endings that cannot be recorded fill this node, so that they do not pile up
        count(true);
    }

    @Override
    void left() {
        count(true);
        super.left();
    }
}
