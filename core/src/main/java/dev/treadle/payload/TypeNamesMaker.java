package dev.treadle.payload;

import dev.treadle.job.JobType;
import dev.treadle.job.JobTypes;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the names of classes and methods, from annotations and from what the application says. */
final class TypeNamesMaker {
    private static final String NAME = "[\\p{L}_$][\\p{L}\\p{N}_$-]*(\\.[\\p{L}_$][\\p{L}\\p{N}_$-]*)*";
    private static final String METHOD_NAME = "[\\p{L}_$][\\p{L}\\p{N}_$-]*";
    private static final String FORMER_METHOD_NAME = METHOD_NAME + "(\\([^()#]*\\))?";

    private final JobTypes given;

    TypeNamesMaker(JobTypes given) {
        this.given = given;
    }

    /** All classes that are named here, and the registered requests. */
    List<KnownType> all(Collection<? extends Class<?>> requests) {
        Set<Class<?>> types = new LinkedHashSet<>(requests);
        types.addAll(given.classes());
        given.namings().forEach(naming -> types.add(naming.type()));
        given.upcasts().forEach(upcast -> types.add(upcast.type()));
        Set<Class<?>> called = new LinkedHashSet<>(given.classes());
        given.namings().forEach(naming -> called.add(naming.type()));
        given.upcasts().stream().filter(JobTypes.Upcast::isOfCall).forEach(upcast -> called.add(upcast.type()));
        return types.stream().map(type -> known(type, called.contains(type))).toList();
    }

    /** Whether the class, or one of its methods, has an annotation that names it. */
    static boolean isAnnotated(Class<?> type) {
        return type.getDeclaredAnnotation(JobType.class) != null
                || MethodName.all(type).stream().anyMatch(method -> method.isAnnotationPresent(JobType.class));
    }

    /** @param isCalled whether the names of its methods are looked for */
    KnownType known(Class<?> type, boolean isCalled) {
        String what = type.getName();
        Names names = names(what, type.getDeclaredAnnotation(JobType.class), naming(type, null));
        String name = names == null || names.name.isEmpty() ? type.getName() : names.name;
        List<String> formerly = names == null ? List.of() : names.formerly;
        check(what, name, NAME);
        formerly.forEach(former -> check(what, former, NAME));
        FormerNames former = new FormerNames(what, distinct(what, name, formerly));
        Map<String, KnownMethod> methods = isCalled ? methods(type) : Map.of();
        for (JobTypes.Upcast upcast : given.upcasts()) {
            if (upcast.type() == type) {
                add(upcast, what, former, methods);
            }
        }
        DeclaredDefaults.of(type, null);
        return new KnownType(type.getName(), name, former, Map.copyOf(methods));
    }

    private static void add(JobTypes.Upcast upcast, String what, FormerNames former, Map<String, KnownMethod> methods) {
        if (!upcast.isOfCall()) {
            former.add(what, upcast.formerly(), upcast.change());
            return;
        }
        KnownMethod method = methods.get(upcast.formerly());
        if (method == null) {
            throw new IllegalArgumentException("An upcast is given for calls of " + what + " stored as '"
                    + upcast.formerly() + "', which is a former name of none of its methods. Name it in formerly.");
        }
        method.formerly().add(what + "#" + method.text(), upcast.formerly(), upcast.change());
    }

    private Map<String, KnownMethod> methods(Class<?> type) {
        Map<String, KnownMethod> all = new HashMap<>();
        Set<String> texts = new LinkedHashSet<>();
        for (Method method : MethodName.all(type)) {
            String text = MethodName.of(method);
            DeclaredDefaults.of(type, method);
            Names names = names(type.getName() + "#" + text, method.getAnnotation(JobType.class), naming(type, text));
            if (names != null && texts.add(text)) {
                put(type, all, method(type, method, names));
            }
        }
        for (JobTypes.Naming naming : given.namings()) {
            if (naming.type() == type && naming.method() != null && !texts.contains(naming.method())) {
                throw new IllegalArgumentException("A name is given for the method " + naming.method() + " of "
                        + type.getName() + ", which has no such method. Write its name and parameter types, as in"
                        + " \"generate(long)\".");
            }
        }
        return all;
    }

    private static KnownMethod method(Class<?> type, Method method, Names names) {
        String text = MethodName.of(method);
        String what = type.getName() + "#" + text;
        String name = names.name.isEmpty() ? text : names.name;
        if (!names.name.isEmpty()) {
            check(what, name, METHOD_NAME);
        }
        List<String> formerly = new ArrayList<>();
        for (String former : names.formerly) {
            check(what, former, FORMER_METHOD_NAME);
            formerly.add(former);
        }
        return new KnownMethod(text, name, new FormerNames(what, distinct(what, name, formerly)));
    }

    private static void put(Class<?> type, Map<String, KnownMethod> all, KnownMethod method) {
        Set<String> claims = new LinkedHashSet<>(List.of(method.name(), method.text()));
        String parameters = method.text().substring(method.text().indexOf('('));
        for (String former : method.formerly().oldestFirst()) {
            claims.add(former);
            // without parameters it may be a name of its own, or that of the method
            claims.add(former.indexOf('(') < 0 ? former + parameters : former);
        }
        for (String claim : claims) {
            KnownMethod other = all.putIfAbsent(claim, method);
            if (other != null) {
                throw new IllegalArgumentException("Two methods of " + type.getName() + " claim the name '" + claim
                        + "': " + other.text() + " and " + method.text() + ". Change @JobType of one of them.");
            }
        }
    }

    private @Nullable Names names(String what, @Nullable JobType annotation, JobTypes.@Nullable Naming naming) {
        if (annotation == null) {
            return naming == null ? null : new Names(naming.name(), naming.formerly());
        }
        if (naming != null) {
            throw new IllegalArgumentException(
                    what + " is named twice, by @JobType and by JobTypes. Leave one of the two out.");
        }
        return new Names(annotation.value(), Arrays.asList(annotation.formerly()));
    }

    private JobTypes.@Nullable Naming naming(Class<?> type, @Nullable String method) {
        List<JobTypes.Naming> mine = given.namings().stream()
                .filter(naming -> naming.type() == type && java.util.Objects.equals(naming.method(), method))
                .toList();
        if (mine.size() > 1) {
            throw new IllegalArgumentException(type.getName() + (method == null ? "" : "#" + method)
                    + " is named twice by JobTypes. Leave one of the two out.");
        }
        return mine.isEmpty() ? null : mine.get(0);
    }

    private static List<String> distinct(String what, String name, List<String> formerly) {
        Set<String> seen = new LinkedHashSet<>(formerly);
        if (seen.size() < formerly.size() || seen.contains(name)) {
            throw new IllegalArgumentException("The names of " + what + " repeat themselves: '" + name
                    + "' and formerly " + formerly + ". Name each once.");
        }
        return List.copyOf(seen);
    }

    private static void check(String what, String name, String pattern) {
        if (name.length() > JobType.NAME_LENGTH_MAX && !name.equals(what) || !name.matches(pattern)) {
            throw new IllegalArgumentException("'" + name + "' cannot be a name of " + what
                    + ": a class takes words of letters, digits, _, $ and - with dots between them, a method one such"
                    + " word, and a former name of a method may have its parameter types in brackets; all at most "
                    + JobType.NAME_LENGTH_MAX + " characters.");
        }
    }

    private record Names(String name, List<String> formerly) {}
}
