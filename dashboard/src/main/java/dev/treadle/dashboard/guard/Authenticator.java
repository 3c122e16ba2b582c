package dev.treadle.dashboard.guard;

import dev.treadle.dashboard.web.Request;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says who asks. An application with a log-in of its own brings its own. Thread-safe. */
public interface Authenticator {
    /** Who asks; empty if that is unknown, and then the request is refused. */
    Optional<User> user(Request request);

    /**
     * What the {@code WWW-Authenticate} header says to those who are refused; null if they sign in elsewhere, and the
     * dashboard never sees a password.
     */
    default @Nullable String challenge() {
        return "Basic realm=\"Treadle\", charset=\"UTF-8\"";
    }
}
