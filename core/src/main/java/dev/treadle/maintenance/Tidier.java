package dev.treadle.maintenance;

import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Forgets unique names that nobody holds any more, a chunk with each turn, again and again through all of them. */
public final class Tidier {
    /** The rest between two walks through all names. */
    public static final Duration WALK_EVERY = Duration.ofSeconds(30);

    private final StorageProvider storage;
    private String after = "";

    /** For one node. */
    public Tidier(StorageProvider storage) {
        this.storage = storage;
    }

    /** Looks at one chunk of names. */
    public Duration turn() {
        @Nullable String last = storage.unique().tidy(after);
        after = last == null ? "" : last;
        return last == null ? WALK_EVERY : Duration.ZERO;
    }
}
