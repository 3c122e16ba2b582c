package dev.treadle.architecture.rules;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.Source;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Source files of one package that refer to each other in circles: each set has all files from which every other one of the
 * set can be reached. By R. Tarjan, Depth-first search and linear graph algorithms, SIAM Journal on Computing 1 (1972).
 */
final class FileCycles {
    private final Map<String, Set<String>> uses;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final Map<String, Integer> lowest = new HashMap<>();
    private final Deque<String> open = new ArrayDeque<>();
    private final List<Set<String>> found = new ArrayList<>();

    private FileCycles(Map<String, Set<String>> uses) {
        this.uses = uses;
    }

    /**
     * The largest circles of files, each of two files or more, named with their packages.
     *
     * @param path loads the classes: what a sealed type permits is known to the JVM only
     */
    static List<Set<String>> of(Iterable<JavaClass> classes, ClassLoader path) {
        Map<String, String> files = new HashMap<>();
        classes.forEach(one -> files.put(one.getName(), file(one)));
        Map<String, Set<String>> uses = new TreeMap<>();
        for (JavaClass one : classes) {
            Set<String> used = uses.computeIfAbsent(file(one), unseen -> new TreeSet<>());
            for (Dependency dependency : one.getDirectDependenciesFromSelf()) {
                JavaClass other = dependency.getTargetClass().getBaseComponentType();
                if (other.getPackageName().equals(one.getPackageName())) {
                    used.add(file(other));
                }
            }
            for (String permitted : permittedBy(one, path)) {
                String file = files.get(permitted);
                if (file != null) {
                    used.add(file);
                }
            }
        }
        FileCycles cycles = new FileCycles(uses);
        for (String file : uses.keySet()) {
            if (!cycles.numbers.containsKey(file)) {
                cycles.visit(file);
            }
        }
        return cycles.found;
    }

    private static List<String> permittedBy(JavaClass one, ClassLoader path) {
        boolean mayBeSealed = one.isInterface() || one.getModifiers().contains(JavaModifier.ABSTRACT);
        if (!mayBeSealed) {
            return List.of();
        }
        try {
            Class<?>[] permitted = Class.forName(one.getName(), false, path).getPermittedSubclasses();
            return permitted == null
                    ? List.of()
                    : Stream.of(permitted).map(Class::getName).toList();
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(one.getName() + " was compiled, and is not on the class path.", e);
        }
    }

    /** The file that a class is written in; for Kotlin its name may be another than that of the class. */
    private static String file(JavaClass one) {
        JavaClass outer = one;
        while (outer.getEnclosingClass().isPresent()) {
            outer = outer.getEnclosingClass().get();
        }
        String name = one.getSource().flatMap(Source::getFileName).orElse(outer.getSimpleName() + ".java");
        return one.getPackageName() + "/" + name;
    }

    private void visit(String file) {
        int number = numbers.size();
        numbers.put(file, number);
        lowest.put(file, number);
        open.push(file);
        for (String other : uses.getOrDefault(file, Set.of())) {
            if (!numbers.containsKey(other)) {
                visit(other);
                lowest.merge(file, lowest.get(other), Math::min);
            } else if (open.contains(other)) {
                lowest.merge(file, numbers.get(other), Math::min);
            }
        }
        if (lowest.get(file) == number) {
            close(file);
        }
    }

    /** All files on the stack above this one, and this one, reach each other. */
    private void close(String file) {
        Set<String> cycle = new TreeSet<>();
        String one;
        do {
            one = open.pop();
            cycle.add(one);
        } while (!one.equals(file));
        if (cycle.size() > 1) {
            found.add(cycle);
        }
    }
}
