package dev.treadle.admission;

import dev.treadle.job.JobContext.Held;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What one run holds of its node's resources. A run that holds something may ask only for what was declared later, so
 * that no two runs ever wait for each other; what a thread holds already it need not wait for. Thread-safe.
 */
public final class Holds {
    private final Resources resources;
    /** What the job uses from its begin to its end. */
    private final Map<String, Integer> whole;

    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by {@link #lock}. */
    private final List<Part> parts = new ArrayList<>();

    /** What one thread of the run took for a part of it. */
    private record Part(Thread by, Map<String, Integer> uses) {}

    /** @param whole what is held for it from its begin to its end */
    public Holds(Resources resources, Map<String, Integer> whole) {
        this.resources = resources;
        this.whole = whole;
    }

    /**
     * Waits for what this thread does not hold yet.
     *
     * @throws IllegalStateException if waiting for it could be for ever
     */
    public Held take(Map<String, Integer> wanted) throws InterruptedException {
        Map<String, Integer> mine = heldBy(Thread.currentThread());
        Map<String, Integer> more = new TreeMap<>();
        wanted.forEach((name, amount) -> {
            Integer held = mine.get(name);
            if (held == null) {
                more.put(name, amount);
            } else if (held < amount) {
                throw new IllegalStateException("The job holds " + held + " of '" + name + "' and asks for " + amount
                        + ": two that do so would wait for each other. Take all of it at once.");
            }
        });
        mine.keySet().forEach(held -> more.keySet().forEach(name -> checkOrder(held, name)));
        if (more.isEmpty()) {
            return () -> {};
        }
        resources.take(more);
        Part part = new Part(Thread.currentThread(), more);
        lock.lock();
        try {
            parts.add(part);
        } finally {
            lock.unlock();
        }
        return () -> giveBack(part);
    }

    private Map<String, Integer> heldBy(Thread thread) {
        Map<String, Integer> held = new HashMap<>(whole);
        lock.lock();
        try {
            parts.stream()
                    .filter(part -> part.by.equals(thread))
                    .forEach(part -> part.uses.forEach((name, amount) -> held.merge(name, amount, Math::max)));
        } finally {
            lock.unlock();
        }
        return held;
    }

    private void checkOrder(String held, String wanted) {
        int rank = resources.rankOf(wanted);
        int rankOfHeld = resources.rankOf(held);
        // who never waits cannot be waited for
        if (rank < rankOfHeld && rankOfHeld != Integer.MAX_VALUE) {
            throw new IllegalStateException("The job holds '" + held + "' and asks for '" + wanted
                    + "', which "
                    + (rank == Pool.BEFORE_ALL ? "comes first where it is not declared" : "was declared before it")
                    + ": two jobs could wait for each other. Take both at once"
                    + " (context.use(\"" + wanted + "\", \"" + held + "\")), or declare '" + wanted + "' after '" + held
                    + "' on every node.");
        }
    }

    private void giveBack(Part part) {
        lock.lock();
        try {
            // by identity: another part may be equal, and each is given back once
            if (!parts.removeIf(one -> one == part)) {
                return;
            }
        } finally {
            lock.unlock();
        }
        resources.giveBack(part.uses, 1);
    }

    /**
     * Gives back what the run has not.
     *
     * @return the names of what that was
     */
    public List<String> close() {
        List<Part> left;
        lock.lock();
        try {
            left = List.copyOf(parts);
        } finally {
            lock.unlock();
        }
        left.forEach(this::giveBack);
        return left.stream().flatMap(part -> part.uses.keySet().stream()).toList();
    }
}
