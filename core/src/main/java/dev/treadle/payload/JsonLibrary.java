package dev.treadle.payload;

import com.fasterxml.jackson.annotation.JsonSerializeAs;

/** The JSON library that this JVM has, which an application may have pinned to a version of its own. */
public final class JsonLibrary {
    private JsonLibrary() {}

    /**
     * Looks for what older versions lack. Quick: nothing is initialized, and most programs never need more of it.
     *
     * @throws LinkageError if it is missing or too old
     */
    public static void check() {
        // the youngest of the annotations that the library asks for; naming it loads it
        JsonSerializeAs.class.getName();
    }
}
