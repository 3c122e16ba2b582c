package dev.treadle.payload;

import org.jspecify.annotations.Nullable;

/** The JSON binding on the class path cannot be used. The message says which versions fit. */
public final class UnusableBindingException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    UnusableBindingException(@Nullable LinkageError cause) {
        super(
                "Jackson's databind does not find what it needs (" + cause
                        + "): the jackson-annotations on the class path"
                        + " are too old for it, mostly because a BOM such as Spring Boot 3's pins them. Put"
                        + " com.fasterxml.jackson.core:jackson-annotations 2.22 or newer into your dependencyManagement,"
                        + " or tools.jackson.core:jackson-databind 3.0.x, which takes older ones",
                cause);
    }
}
