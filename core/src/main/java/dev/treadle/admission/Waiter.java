package dev.treadle.admission;

import java.util.Map;

/** Somebody in the lines of all that it needs at once. Guarded by the lock of its {@link Resources}. */
final class Waiter {
    final Map<Pool, Integer> needs;
    private final Runnable onGranted;
    private boolean granted;

    /** @param onGranted called under the lock; must be quick */
    Waiter(Map<Pool, Integer> needs, Runnable onGranted) {
        this.needs = needs;
        this.onGranted = onGranted;
    }

    boolean isGranted() {
        return granted;
    }

    void join() {
        needs.keySet().forEach(pool -> pool.line.add(this));
    }

    void leave() {
        needs.keySet().forEach(pool -> pool.line.remove(this));
    }

    /** Whether nobody is before it anywhere, and all it needs is free. */
    boolean mayHave() {
        return needs.entrySet().stream()
                .allMatch(need -> need.getKey().line.iterator().next() == this
                        && need.getKey().fits(need.getValue()));
    }

    void grant() {
        leave();
        needs.forEach(Pool::take);
        granted = true;
        onGranted.run();
    }
}
