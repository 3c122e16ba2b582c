package dev.treadle.admission;

import dev.treadle.admission.Asker.Above;
import dev.treadle.job.JobContext.Held;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What one run holds of its node's resources. Code that holds something may ask only for what was declared later, so that
 * no two runs ever wait for each other; what it holds already it need not wait for. Of what a fork is forked under it
 * gets neither: who joins it would hold one while it waits for the other. Thread-safe.
 */
public final class HeldPermits {
    private static final String ENDED = "The run of this job has ended, so nothing would return what it takes now. Take"
            + " permits while the job's code runs, and end its own threads before it returns.";

    private final Resources resources;
    /** What the job uses from its begin to its end. */
    private final Map<String, Integer> whole;

    /** Never taken by the thread that grants. */
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by {@link #lock}, as is all below. */
    private final List<Part> parts = new ArrayList<>();

    private final List<Wait> waits = new ArrayList<>();
    private int taken;
    private boolean closed;

    /** What some code of the run took for a part of it, as the how manieth. */
    private record Part(Object by, int number, Map<String, Integer> uses) {}

    /** Some code that waits for its turn. */
    private static final class Wait {
        final CountDownLatch woken = new CountDownLatch(1);
        final Asker asker;
        final Map<String, Integer> uses;
        final Resources.PendingAcquire place;
        /** Why it will not get it. */
        @Nullable
        String refusal;

        Wait(Asker asker, Map<String, Integer> uses, Resources resources) {
            this.asker = asker;
            this.uses = uses;
            this.place = resources.stand(uses, woken::countDown);
        }
    }

    /** @param whole what is held for it from its begin to its end */
    public HeldPermits(Resources resources, Map<String, Integer> whole) {
        this.resources = resources;
        this.whole = whole;
    }

    /**
     * Waits for what this code does not hold yet.
     *
     * @throws IllegalStateException if waiting for it could be for ever
     */
    public Held take(Map<String, Integer> wanted, Asker asker) throws InterruptedException {
        Wait wait;
        lock.lock();
        try {
            check(closed ? ENDED : null);
            Map<String, Integer> more = more(wanted, asker);
            if (more.isEmpty()) {
                return () -> {};
            }
            check(refusalUnder(asker, more));
            wait = new Wait(asker, more, resources);
            waits.add(wait);
        } finally {
            lock.unlock();
        }
        boolean kept = false;
        try {
            wait.woken.await();
            Part part = keep(wait);
            kept = true;
            return () -> giveBack(part);
        } finally {
            if (!kept) {
                forget(wait);
            }
        }
    }

    private Part keep(Wait wait) {
        lock.lock();
        try {
            check(wait.refusal);
            waits.remove(wait);
            Part part = new Part(wait.asker.self(), ++taken, wait.uses);
            parts.add(part);
            return part;
        } finally {
            lock.unlock();
        }
    }

    private void forget(Wait wait) {
        lock.lock();
        try {
            waits.remove(wait);
        } finally {
            lock.unlock();
        }
        wait.place.leave();
    }

    /** How often something was taken, to be asked when something is forked. */
    public int taken() {
        lock.lock();
        try {
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Some code begins to wait for its forks: those that wait for what it holds must not wait for ever. */
    public void codeWaits() {
        lock.lock();
        try {
            for (Wait wait : waits) {
                refuse(wait, refusalUnder(wait.asker, wait.uses));
            }
        } finally {
            lock.unlock();
        }
    }

    private static void refuse(Wait wait, @Nullable String why) {
        if (why != null && wait.refusal == null) {
            wait.refusal = why;
            wait.woken.countDown();
        }
    }

    private static void check(@Nullable String refusal) {
        if (refusal != null) {
            throw new IllegalStateException(refusal);
        }
    }

    /** What the code does not hold yet. */
    private Map<String, Integer> more(Map<String, Integer> wanted, Asker asker) {
        Map<String, Integer> own = new HashMap<>(whole);
        parts.stream()
                .filter(part -> part.by == asker.self())
                .forEach(part -> part.uses.forEach((name, amount) -> own.merge(name, amount, Math::max)));
        Map<String, Integer> more = new TreeMap<>();
        wanted.forEach((name, amount) -> {
            Integer held = own.get(name);
            if (held == null) {
                more.put(name, amount);
            } else if (held < amount) {
                throw new IllegalStateException("The job holds " + held + " of '" + name + "' and asks for " + amount
                        + ": two that do so would wait for each other. Take all of it at once.");
            }
        });
        own.keySet()
                .forEach(held -> more.keySet().forEach(name -> {
                    if (isBefore(name, held)) {
                        throw new IllegalStateException("The job holds '" + held + "' and asks for " + named(name)
                                + ": two jobs could wait for each other. Take both at once (context.use(\"" + name
                                + "\", \""
                                + held + "\")), or declare '" + name + "' after '" + held + "' on every node.");
                    }
                }));
        return more;
    }

    /** Why code that was forked may not wait for this: those that it was forked under hold on to something. */
    private @Nullable String refusalUnder(Asker asker, Map<String, Integer> wanted) {
        for (Above above : asker.above()) {
            for (Part part : parts) {
                if (above.holdsOnTo(part.by, part.number)) {
                    for (String name : wanted.keySet()) {
                        String why = refusalUnder(part, name);
                        if (why != null) {
                            return why;
                        }
                    }
                }
            }
        }
        return null;
    }

    private @Nullable String refusalUnder(Part held, String wanted) {
        if (held.uses.containsKey(wanted) && resources.rankOf(wanted) != Integer.MAX_VALUE) {
            return "A fork asks for '" + wanted
                    + "', which is held by the code that has forked it and waits for its end:"
                    + " each could wait for the other. Let the fork take '" + wanted
                    + "', and give back what the code around holds before it forks or joins.";
        }
        for (String name : held.uses.keySet()) {
            if (isBefore(wanted, name)) {
                return "A fork asks for " + named(wanted) + ", and the code that has forked it and waits for its end"
                        + " holds '" + name + "': two jobs could wait for each other. Give back '" + name
                        + "' before you fork or join, or declare '" + wanted + "' after '" + name + "' on every node.";
            }
        }
        return null;
    }

    private boolean isBefore(String wanted, String held) {
        int rankOfHeld = resources.rankOf(held);
        // who never waits cannot be waited for
        return rankOfHeld != Integer.MAX_VALUE && resources.rankOf(wanted) < rankOfHeld;
    }

    private String named(String wanted) {
        return "'" + wanted + "', which "
                + (resources.rankOf(wanted) == Pool.BEFORE_ALL
                        ? "comes first where it is not declared"
                        : "was declared before it");
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
     * The run has ended: gives back what it has not, and nothing is taken any more.
     *
     * @return the names of what that was
     */
    public List<String> close() {
        List<Part> left;
        lock.lock();
        try {
            closed = true;
            left = List.copyOf(parts);
            waits.forEach(wait -> refuse(wait, ENDED));
        } finally {
            lock.unlock();
        }
        left.forEach(this::giveBack);
        return left.stream().flatMap(part -> part.uses.keySet().stream()).toList();
    }
}
