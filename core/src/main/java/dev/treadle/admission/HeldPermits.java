package dev.treadle.admission;

import dev.treadle.admission.PermitRequester.Above;
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
 * The permits of resources that one run holds. To rule out deadlocks, code that holds a resource may only ask for resources
 * declared after it; it need not wait for what it already holds. A fork may ask neither for what the code that forked it
 * holds nor for anything declared before that, because that code keeps its permits while it joins the fork. Thread-safe.
 */
public final class HeldPermits {
    private static final String ENDED =
            "The run of this job has ended, so permits taken now would never be given back. Take"
                    + " permits while the job's code runs, and end the threads it started before it returns.";

    private final Resources resources;
    /** What the job holds from its start to its end. */
    private final Map<String, Integer> whole;

    /** Never taken by the code that grants requests. */
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by {@link #lock}, like all fields below. */
    private final List<Part> parts = new ArrayList<>();

    private final List<Wait> waits = new ArrayList<>();
    private int taken;
    private boolean closed;

    /** Permits that some code of the run holds, numbered in the order in which they were taken. */
    private record Part(Object by, int number, Map<String, Integer> uses) {}

    /** Code that waits for permits. */
    private static final class Wait {
        final CountDownLatch woken = new CountDownLatch(1);
        final PermitRequester requester;
        final Map<String, Integer> uses;
        final Resources.PendingAcquire request;
        /** Why the request is refused; null if it is not. */
        @Nullable
        String refusal;

        Wait(PermitRequester requester, Map<String, Integer> uses, Resources resources) {
            this.requester = requester;
            this.uses = uses;
            this.request = resources.request(uses, woken::countDown);
        }
    }

    /** @param whole what the job holds from its start to its end */
    public HeldPermits(Resources resources, Map<String, Integer> whole) {
        this.resources = resources;
        this.whole = whole;
    }

    /**
     * Waits for permits that this code does not hold yet.
     *
     * @throws IllegalStateException if waiting could end in a deadlock
     */
    public Held take(Map<String, Integer> wanted, PermitRequester requester) throws InterruptedException {
        Wait wait;
        lock.lock();
        try {
            check(closed ? ENDED : null);
            Map<String, Integer> more = more(wanted, requester);
            if (more.isEmpty()) {
                return () -> {};
            }
            check(refusalUnder(requester, more));
            wait = new Wait(requester, more, resources);
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
            Part part = new Part(wait.requester.self(), ++taken, wait.uses);
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
        wait.request.leave();
    }

    /** How many times permits were taken so far; read at each fork. */
    public int taken() {
        lock.lock();
        try {
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Code begins to wait for its forks: refuses requests of forks that would wait for what this code holds. */
    public void codeWaits() {
        lock.lock();
        try {
            for (Wait wait : waits) {
                refuse(wait, refusalUnder(wait.requester, wait.uses));
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

    /** The wanted permits that the code does not hold yet. */
    private Map<String, Integer> more(Map<String, Integer> wanted, PermitRequester requester) {
        Map<String, Integer> own = new HashMap<>(whole);
        parts.stream()
                .filter(part -> part.by == requester.self())
                .forEach(part -> part.uses.forEach((name, amount) -> own.merge(name, amount, Math::max)));
        Map<String, Integer> more = new TreeMap<>();
        wanted.forEach((name, amount) -> {
            Integer held = own.get(name);
            if (held == null) {
                more.put(name, amount);
            } else if (held < amount) {
                throw new IllegalStateException("The job holds " + held + " of '" + name + "' and asks for " + amount
                        + ": two jobs that do so could wait for each other. Take all of it at once.");
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

    /** Why a fork may not wait for these permits, given what the code that forked it holds; null if it may. */
    private @Nullable String refusalUnder(PermitRequester requester, Map<String, Integer> wanted) {
        for (Above above : requester.above()) {
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
                    + "', which is held by the code that forked it and waits for it to end:"
                    + " each could wait for the other. Let the fork take '" + wanted
                    + "', and give it back in the outer code before it forks or joins.";
        }
        for (String name : held.uses.keySet()) {
            if (isBefore(wanted, name)) {
                return "A fork asks for " + named(wanted) + ", and the code that forked it and waits for it to end"
                        + " holds '" + name + "': two jobs could wait for each other. Give back '" + name
                        + "' before you fork or join, or declare '" + wanted + "' after '" + name + "' on every node.";
            }
        }
        return null;
    }

    private boolean isBefore(String wanted, String held) {
        int rankOfHeld = resources.rankOf(held);
        // code that never waits cannot be part of a deadlock
        return rankOfHeld != Integer.MAX_VALUE && resources.rankOf(wanted) < rankOfHeld;
    }

    private String named(String wanted) {
        return "'" + wanted + "', which "
                + (resources.rankOf(wanted) == ResourcePool.BEFORE_ALL
                        ? "comes first because it is not declared"
                        : "was declared before it");
    }

    private void giveBack(Part part) {
        lock.lock();
        try {
            // by identity: another part may be equal, and each must be given back once
            if (!parts.removeIf(one -> one == part)) {
                return;
            }
        } finally {
            lock.unlock();
        }
        resources.giveBack(part.uses, 1);
    }

    /**
     * Ends the run: gives back everything that is still held, and refuses further requests.
     *
     * @return the names of the resources that were still held
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
