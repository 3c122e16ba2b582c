package dev.treadle.payload;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * A class that has a name of its own, or former ones, or methods that have.
 *
 * @param type     its binary name
 * @param name     what it is stored as
 * @param formerly its former names
 * @param methods  its methods that have names, by each of these and by name and parameter types
 */
record KnownType(String type, String name, FormerNames formerly, Map<String, KnownMethod> methods) {
    /** All names that its jobs may be stored under, except perhaps its binary name. */
    Set<String> claims() {
        Set<String> all = new LinkedHashSet<>();
        all.add(name);
        all.addAll(formerly.oldestFirst());
        return all;
    }

    /** What unique names and derived ids are made of. */
    String identity() {
        String oldest = formerly.oldest();
        return oldest == null ? name : oldest;
    }

    /** Whether it differs from a class without names. */
    boolean isNamed() {
        return !name.equals(type) || formerly.oldest() != null || !methods.isEmpty();
    }
}
