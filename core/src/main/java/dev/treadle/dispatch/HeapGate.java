package dev.treadle.dispatch;

import dev.treadle.admission.HeapGuard;

/** Lets the heap guard limit all permits of a node. */
public final class HeapGate implements HeapGuard.Gate {
    private final LocalQueues queues;
    private final Dispatcher dispatcher;

    /** For the queues of a dispatcher. */
    public HeapGate(LocalQueues queues, Dispatcher dispatcher) {
        this.queues = queues;
        this.dispatcher = dispatcher;
    }

    @Override
    public int total() {
        return queues.total();
    }

    @Override
    public int running() {
        return queues.running();
    }

    @Override
    public long ended() {
        return queues.ended();
    }

    @Override
    public long ranOut() {
        return queues.ranOut();
    }

    @Override
    public boolean isAnyWaiting() {
        return queues.isAnyWaiting();
    }

    @Override
    public void admit(int jobs) {
        dispatcher.admit(jobs);
    }
}
