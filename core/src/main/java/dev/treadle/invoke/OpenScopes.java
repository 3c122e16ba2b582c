package dev.treadle.invoke;

import dev.treadle.job.ThreadStack;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The scopes that are open directly under a job, or under one of its forks. Thread-safe. */
final class OpenScopes {
    private final List<RunScope> open = new CopyOnWriteArrayList<>();
    private volatile boolean told;
    private volatile boolean shut;

    /** @throws IllegalStateException if the job or fork that they belong to has ended */
    void add(RunScope scope) {
        open.add(scope);
        // why asked after it was added: a thread that tells or shuts at this moment has set its flag and looks at the
        // list
        if (shut) {
            open.remove(scope);
            throw new IllegalStateException("The run that this scope belongs to has ended. Open scopes while it runs.");
        }
        if (told) {
            scope.tellToEnd();
        }
    }

    void remove(RunScope scope) {
        open.remove(scope);
    }

    /** Interrupts all forks; scopes that are opened later start no forks. */
    void tellToEnd() {
        told = true;
        open.forEach(RunScope::tellToEnd);
    }

    /** The innermost fork that runs on a thread; null if none does. */
    @Nullable
    ForkRun<?> forkOn(Thread thread) {
        for (RunScope scope : open) {
            ForkRun<?> found = scope.forkOn(thread);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** Adds the stacks of running forks' threads, up to a limit. */
    void stacks(List<ThreadStack> stacks, int max) {
        open.forEach(scope -> scope.stacks(stacks, max));
    }

    /**
     * Closes all open scopes, and refuses new ones from then on.
     *
     * @return whether that cut off forks
     */
    boolean shut() {
        shut = true;
        boolean cutOff = false;
        for (RunScope scope : open) {
            cutOff |= scope.end();
        }
        return cutOff;
    }
}
