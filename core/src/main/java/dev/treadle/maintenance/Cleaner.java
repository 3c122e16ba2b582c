package dev.treadle.maintenance;

import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Has the storage forget what is no longer needed: one chunk in each turn, and again from the start after the last. */
public final class Cleaner {
    /** The rest after a turn that has reached the end. */
    public static final Duration REST = Duration.ofSeconds(5);
    /** A pass through all chunks begins every this many turns. */
    private static final int WALK_EVERY = 6;

    private final StorageProvider storage;
    private String after = "";
    private int turns;

    /** For one node. */
    public Cleaner(StorageProvider storage) {
        this.storage = storage;
    }

    /** Looks at one chunk, if a pass is under way or due. */
    public Duration turn() {
        if (after.isEmpty() && ++turns % WALK_EVERY != 0) {
            return REST;
        }
        @Nullable String last = storage.forgetUnneeded(after);
        after = last == null ? "" : last;
        return last == null ? REST : Duration.ZERO;
    }
}
