package dev.treadle.maintenance;

import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Forgets unique names that nobody holds any more, a chunk with each turn, again and again through all of them. */
public final class UniqueNameCleaner {
    /** The rest after each turn that has nothing more to look at. */
    public static final Duration USUAL = Duration.ofSeconds(5);
    /** One walk through all names begins in so many turns. */
    private static final int WALK_EVERY = 6;

    private final StorageProvider storage;
    private String after = "";
    private int turns;

    /** For one node. */
    public UniqueNameCleaner(StorageProvider storage) {
        this.storage = storage;
    }

    /** Looks at one chunk of names, if it is time for that. */
    public Duration turn() {
        if (after.isEmpty() && ++turns % WALK_EVERY != 0) {
            return USUAL;
        }
        @Nullable String last = storage.unique().tidy(after);
        after = last == null ? "" : last;
        return last == null ? USUAL : Duration.ZERO;
    }
}
