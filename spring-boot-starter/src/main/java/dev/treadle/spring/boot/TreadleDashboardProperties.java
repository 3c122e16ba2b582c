package dev.treadle.spring.boot;

import dev.treadle.dashboard.guard.Role;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The dashboard in the application's web server.
 *
 * @param enabled      Whether the application serves the dashboard.
 * @param path         Path of the dashboard, below the context path.
 * @param title        What stands above the page. The name of the application by default.
 * @param environment  Word that distinguishes this installation from others, such as STAGING.
 * @param open         Whether everybody who reaches the application may open the dashboard without signing in.
 * @param openRole     What everybody may do if it is open.
 * @param allowedHosts Host names under which an open dashboard answers, beside those of loopback.
 * @param hide         Patterns of further field names whose values are masked.
 * @param authorities  Which authorities of Spring Security give which role.
 */
@ConfigurationProperties("treadle.dashboard")
record TreadleDashboardProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("/treadle") String path,
        @Nullable String title,
        @Nullable String environment,
        @DefaultValue("false") boolean open,
        @DefaultValue("viewer") Role openRole,
        @DefaultValue List<String> allowedHosts,
        @DefaultValue List<String> hide,
        @DefaultValue Authorities authorities) {
    /** Checks the path. */
    TreadleDashboardProperties {
        if (!path.matches("(/[A-Za-z0-9_.-]+)+")) {
            throw new IllegalArgumentException(
                    "treadle.dashboard.path is '" + path + "' and must be such as /treadle or /admin/jobs.");
        }
    }

    /**
     * Authorities as Spring Security names them, such as ROLE_ADMIN or SCOPE_jobs. Of several roles, the highest counts.
     *
     * @param viewer   Who has one of these may look.
     * @param operator Who has one of these may also run again, cancel, delete, trigger and pause.
     * @param admin    Who has one of these may also change what is scheduled.
     */
    record Authorities(
            @DefaultValue("ROLE_TREADLE_VIEWER") List<String> viewer,
            @DefaultValue("ROLE_TREADLE_OPERATOR") List<String> operator,
            @DefaultValue("ROLE_TREADLE_ADMIN") List<String> admin) {}
}
