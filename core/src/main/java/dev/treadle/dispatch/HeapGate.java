package dev.treadle.dispatch;

import dev.treadle.admission.HeapGuard;

/** What the guard of the heap opens and narrows: all permits of a node. */
public final class HeapGate implements HeapGuard.Gate {
    private final LocalQueues lines;
    private final Dispatcher dispatcher;

    /** Over the lines of a dispatcher. */
    public HeapGate(LocalQueues lines, Dispatcher dispatcher) {
        this.lines = lines;
        this.dispatcher = dispatcher;
    }

    @Override
    public int total() {
        return lines.total();
    }

    @Override
    public int running() {
        return lines.running();
    }

    @Override
    public long ended() {
        return lines.ended();
    }

    @Override
    public long ranOut() {
        return lines.ranOut();
    }

    @Override
    public boolean isAnyWaiting() {
        return lines.isAnyWaiting();
    }

    @Override
    public void admit(int jobs) {
        dispatcher.admit(jobs);
    }
}
