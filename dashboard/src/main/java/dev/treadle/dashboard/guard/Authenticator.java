package dev.treadle.dashboard.guard;

import dev.treadle.dashboard.web.Request;
import java.util.Optional;

/** Says who asks. An application with a log-in of its own brings its own. Thread-safe. */
public interface Authenticator {
    /** Who asks; empty if that is unknown, and then the request is refused. */
    Optional<User> user(Request request);

    /** What the {@code WWW-Authenticate} header says to those who are refused. */
    default String challenge() {
        return "Basic realm=\"Treadle\", charset=\"UTF-8\"";
    }
}
