package dev.treadle.spring.boot;

import dev.treadle.dashboard.guard.Role;
import dev.treadle.dashboard.guard.User;
import dev.treadle.dashboard.servlet.ServletAuthenticator;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.access.hierarchicalroles.RoleHierarchy;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.csrf.CsrfToken;

/** Says who asks by what Spring Security found out, and hands its token against forged requests to the page. */
final class SpringSecurityAuthenticator implements ServletAuthenticator {
    private final Map<String, Role> roles = new LinkedHashMap<>();
    private final RoleHierarchy hierarchy;

    SpringSecurityAuthenticator(TreadleDashboardProperties.Authorities authorities, RoleHierarchy hierarchy) {
        this.hierarchy = hierarchy;
        // why in this order: an authority that is named twice gives the higher role
        authorities.viewer().forEach(name -> roles.put(name, Role.VIEWER));
        authorities.operator().forEach(name -> roles.put(name, Role.OPERATOR));
        authorities.admin().forEach(name -> roles.put(name, Role.ADMIN));
    }

    @Override
    public Optional<User> user(HttpServletRequest request) {
        Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
        if (authentication == null
                || !authentication.isAuthenticated()
                || authentication instanceof AnonymousAuthenticationToken) {
            return Optional.empty();
        }
        return hierarchy.getReachableGrantedAuthorities(authentication.getAuthorities()).stream()
                .map(GrantedAuthority::getAuthority)
                .filter(Objects::nonNull)
                .map(roles::get)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .map(role -> new User(authentication.getName(), role));
    }

    @Override
    public @Nullable WriteHeader writeHeader(HttpServletRequest request) {
        return request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token
                ? new WriteHeader(token.getHeaderName(), token.getToken())
                : null;
    }
}
