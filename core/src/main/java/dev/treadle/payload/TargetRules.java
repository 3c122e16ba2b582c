package dev.treadle.payload;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which types a job may call. A name in a row is data, so the name is checked before the class is loaded, and the class
 * afterwards. Immutable.
 */
public final class TargetRules {
    private static final String TYPE_NAME = "[\\p{L}_$][\\p{L}\\p{N}_$-]*(\\.[\\p{L}_$][\\p{L}\\p{N}_$-]*)*";

    private static final Logger LOG = LoggerFactory.getLogger(TargetRules.class);

    private final List<String> prefixes;
    private final Set<String> registered;

    private TargetRules(List<String> prefixes, Set<String> registered) {
        this.prefixes = prefixes;
        this.registered = registered;
    }

    /**
     * The default rules: every type of the application is allowed; the platform, drivers and well-known libraries are
     * not.
     */
    public static TargetRules applicationTypes() {
        return new TargetRules(List.of(), Set.of());
    }

    /**
     * Rules that allow only registered types and types in these packages and below; a class name allows that class.
     *
     * @throws IllegalArgumentException if a prefix is no package name, or is one that is never allowed
     */
    public static TargetRules allow(Collection<String> packages) {
        return new TargetRules(packages.stream().map(TargetRules::prefix).toList(), Set.of());
    }

    /**
     * These rules, and in addition exactly these types. Types of the platform, of drivers and of Treadle stay refused.
     */
    public TargetRules withRegistered(Collection<? extends Class<?>> types) {
        Set<String> names = new HashSet<>();
        for (Class<?> type : types) {
            names.add(type.getName());
        }
        return new TargetRules(prefixes, Set.copyOf(names));
    }

    /** Recommends a list of packages in the log, where none was given. */
    public void recommendPackages() {
        if (prefixes.isEmpty()) {
            LOG.info("Jobs may call any type of the application. Name the packages they may call with"
                    + " Treadle.on(…).allow(\"com.example.jobs\"), or treadle.allow in Spring Boot, to keep rows in the database"
                    + " from calling others.");
        }
    }

    /** Empty if a class of that binary name may be loaded and called; the reason if not. */
    public Optional<String> refusal(String name) {
        if (!name.matches(TYPE_NAME)) {
            return Optional.of("it is no class name");
        }
        Optional<String> never = NeverTargets.kind(name).map(TargetRules::never);
        return never.isPresent() || registered.contains(name) || isConfigured(name)
                ? never
                : Optional.of("no rule allows it; if a job may call it, allow(\"" + packageOf(name) + "\")");
    }

    /** Empty if the loaded class may be called; the reason if not. */
    public Optional<String> refusal(Class<?> type) {
        return NeverTargets.isPlatform(type)
                ? Optional.of(never("part of the Java platform"))
                : refusal(type.getName());
    }

    /** Empty if a method that an allowed type inherits from this one may be called; the reason if not. */
    public Optional<String> inheritedRefusal(Class<?> declaring) {
        return NeverTargets.isPlatform(declaring)
                ? Optional.of(never("part of the Java platform"))
                : NeverTargets.kind(declaring.getName()).map(TargetRules::never);
    }

    private boolean isConfigured(String name) {
        return prefixes.isEmpty()
                ? !NeverTargets.isInfrastructure(name)
                : prefixes.stream().anyMatch(prefix -> isWithin(name, prefix));
    }

    private static boolean isWithin(String name, String prefix) {
        return name.startsWith(prefix)
                && (name.length() == prefix.length()
                        || name.charAt(prefix.length()) == '.'
                        || name.charAt(prefix.length()) == '$');
    }

    private static String prefix(String given) {
        String name = given.endsWith(".") ? given.substring(0, given.length() - 1) : given;
        if (!name.matches(TYPE_NAME)) {
            throw new IllegalArgumentException(
                    "allow(\"" + given
                            + "\") is no package name. Give one such as allow(\"com.acme.jobs\"); packages below are included.");
        }
        NeverTargets.kindWithin(name).ifPresent(kind -> {
            throw new IllegalArgumentException("allow(\"" + given + "\") would let jobs call what is " + kind
                    + ", and that is never allowed. Allow your own package, and call this from a class of yours.");
        });
        return name;
    }

    private static String never(String kind) {
        return "it is " + kind + ", which no job may call; call a class of your own that does it";
    }

    private static String packageOf(String name) {
        int dot = name.lastIndexOf('.');
        return dot < 0 ? name : name.substring(0, dot);
    }
}
