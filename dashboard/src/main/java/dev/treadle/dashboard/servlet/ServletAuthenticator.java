package dev.treadle.dashboard.servlet;

import dev.treadle.dashboard.guard.Role;
import dev.treadle.dashboard.guard.User;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says who asks and what they may do, by what the application's own security knows about the request. Thread-safe.
 */
public interface ServletAuthenticator {
    /** Who asks; empty if that is unknown or they may not even look, and then the request is refused. */
    Optional<User> user(HttpServletRequest request);

    /**
     * The header that the page has to send with everything that changes something, because the application protects
     * itself against requests of other sites; null if it does not. Asked when the page opens, and again after a refusal
     * that is not the dashboard's.
     */
    default @Nullable WriteHeader writeHeader(HttpServletRequest request) {
        return null;
    }

    /**
     * By roles of the servlet container: the highest of those that the user is in.
     *
     * @param roles what the members of each role of the container may do
     */
    static ServletAuthenticator roles(Map<String, Role> roles) {
        Map<String, Role> known = Map.copyOf(roles);
        return request -> request.getUserPrincipal() == null
                ? Optional.empty()
                : known.entrySet().stream()
                        .filter(role -> request.isUserInRole(role.getKey()))
                        .map(Map.Entry::getValue)
                        .max(Comparator.naturalOrder())
                        .map(role -> new User(request.getUserPrincipal().getName(), role));
    }

    /**
     * A header.
     *
     * @param name  such as {@code X-CSRF-TOKEN}
     * @param value the application's token
     */
    record WriteHeader(String name, String value) {}
}
