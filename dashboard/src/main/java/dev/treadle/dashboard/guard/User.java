package dev.treadle.dashboard.guard;

import java.security.Principal;

/**
 * Who asks.
 *
 * @param name stands in the audit log
 * @param role what they may do
 */
public record User(String name, Role role) implements Principal {
    @Override
    public String getName() {
        return name;
    }
}
