package dev.treadle.dashboard.api;

import dev.treadle.dashboard.guard.Role;
import dev.treadle.dashboard.guard.User;
import dev.treadle.dashboard.web.Request;
import dev.treadle.dashboard.web.Response;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One thing that can be asked.
 *
 * @param method  of HTTP
 * @param pattern its path, such as {@code /api/v1/jobs/{id}}
 * @param role    who may
 * @param action  what answers
 */
public record Route(String method, String pattern, Role role, Action action) {
    /** Answers. */
    interface Action {
        Response answer(Call call);
    }

    /**
     * A request that found its route.
     *
     * @param user       who asks
     * @param parameters from the path
     */
    record Call(Request request, User user, Map<String, String> parameters) {
        String parameter(String name) {
            return parameters.getOrDefault(name, "");
        }
    }

    static Route get(String pattern, Action action) {
        return new Route("GET", pattern, Role.VIEWER, action);
    }

    static Route post(String pattern, Role role, Action action) {
        return new Route("POST", pattern, role, action);
    }

    static Route delete(String pattern, Role role, Action action) {
        return new Route("DELETE", pattern, role, action);
    }

    /** The parameters of a path that fits; empty if it does not. */
    Optional<Map<String, String>> parameters(String path) {
        String[] wanted = pattern.split("/", -1);
        String[] given = path.split("/", -1);
        if (wanted.length != given.length) {
            return Optional.empty();
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        for (int i = 0; i < wanted.length; i++) {
            if (wanted[i].startsWith("{")) {
                if (!given[i].matches("[A-Za-z0-9_.-]{1,200}")) {
                    return Optional.empty();
                }
                parameters.put(wanted[i].substring(1, wanted[i].length() - 1), given[i]);
            } else if (!wanted[i].equals(given[i])) {
                return Optional.empty();
            }
        }
        return Optional.of(parameters);
    }
}
