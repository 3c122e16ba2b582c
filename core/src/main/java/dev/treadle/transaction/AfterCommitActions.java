package dev.treadle.transaction;

import java.util.ArrayList;
import java.util.List;

/**
 * What is to be done once one transaction has been committed, in the order in which it was added. For
 * {@link OpenTransaction}s of links. Used by one thread.
 */
public final class AfterCommitActions {
    private final List<Runnable> actions = new ArrayList<>();

    /** Creates a list without actions. */
    public AfterCommitActions() {}

    /** Adds one. */
    public void add(Runnable action) {
        actions.add(action);
    }

    /** How many there are to be done. */
    public int size() {
        return actions.size();
    }

    /** Forgets all but the first {@code size}: those after them came with what was rolled back to a savepoint. */
    public void keepFirst(int size) {
        actions.subList(Math.min(size, actions.size()), actions.size()).clear();
    }

    /**
     * Does each of them, whatever becomes of the others, and none of them twice.
     *
     * @throws RuntimeException the first that was thrown, with the others suppressed
     */
    public void runAll() {
        RuntimeException failed = null;
        while (!actions.isEmpty()) {
            List<Runnable> now = List.copyOf(actions);
            actions.clear();
            for (Runnable action : now) {
                try {
                    action.run();
                } catch (RuntimeException e) {
                    if (failed == null) {
                        failed = e;
                    } else {
                        failed.addSuppressed(e);
                    }
                }
            }
        }
        if (failed != null) {
            throw failed;
        }
    }
}
