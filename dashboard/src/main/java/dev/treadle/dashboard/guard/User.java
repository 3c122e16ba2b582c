package dev.treadle.dashboard.guard;

/**
 * Who asks.
 *
 * @param name stands in the audit log
 * @param role what they may do
 */
public record User(String name, Role role) {}
