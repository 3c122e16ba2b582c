package dev.treadle.maintenance;

import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Deletes unique names that no job holds any more: one chunk in each turn, and again from the start after the last. */
public final class UniqueNameCleaner {
    /** The rest after a turn that has reached the end. */
    public static final Duration REST = Duration.ofSeconds(5);
    /** A pass through all names begins every this many turns. */
    private static final int WALK_EVERY = 6;

    private final StorageProvider storage;
    private String after = "";
    private int turns;

    /** For one node. */
    public UniqueNameCleaner(StorageProvider storage) {
        this.storage = storage;
    }

    /** Looks at one chunk of names, if a pass is under way or due. */
    public Duration turn() {
        if (after.isEmpty() && ++turns % WALK_EVERY != 0) {
            return REST;
        }
        @Nullable String last = storage.unique().tidy(after);
        after = last == null ? "" : last;
        return last == null ? REST : Duration.ZERO;
    }
}
