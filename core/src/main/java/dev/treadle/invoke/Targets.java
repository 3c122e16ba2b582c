package dev.treadle.invoke;

import dev.treadle.invoke.NotRunnableException.Missing;
import dev.treadle.payload.MethodName;
import dev.treadle.payload.TargetRules;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Finds methods by their names in rows, and caches them. Thread-safe. */
final class Targets {
    /** How many methods are cached; the cache is emptied when it is full. */
    private static final int TARGETS_MAX = 2_000;

    private final TargetRules rules;
    private final ClassLoader loader;
    private final Map<String, Target> found = new ConcurrentHashMap<>();

    Targets(TargetRules rules, ClassLoader loader) {
        this.rules = rules;
        this.loader = loader;
    }

    Target find(String type, String method) {
        String key = type + "#" + method;
        Target known = found.get(key);
        if (known != null) {
            return known;
        }
        Target target = load(type, method);
        if (found.size() >= TARGETS_MAX) {
            found.clear();
        }
        found.put(key, target);
        return target;
    }

    private Target load(String typeName, String methodText) {
        check(typeName, rules.refusal(typeName));
        Class<?> type = loaded(typeName);
        check(typeName, rules.refusal(type));
        try {
            Method method = MethodName.find(type, methodText);
            check(typeName, rules.inheritedRefusal(method.getDeclaringClass()));
            method.setAccessible(true);
            return new Target(type, method);
        } catch (NoSuchMethodException e) {
            throw missing(e.getMessage(), e);
        } catch (InaccessibleObjectException e) {
            throw missing(OpensDirective.remedy(type), e);
        } catch (LinkageError | TypeNotPresentException e) {
            throw missing(
                    "A type that " + typeName + " uses is missing on this node: " + e
                            + ". Deploy it here, or run the job on a node that has it.",
                    e);
        }
    }

    private Class<?> loaded(String name) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            throw missing(
                    "The class " + name + " is not on this node (" + e
                            + "). Deploy it here, or run the job on a node that has it.",
                    e);
        }
    }

    private static void check(String type, Optional<String> refusal) {
        refusal.ifPresent(why -> {
            throw missing("Jobs may not call " + type + " on this node: " + why + ".", null);
        });
    }

    private static NotRunnableException missing(String message, @Nullable Throwable cause) {
        return new NotRunnableException(Missing.TARGET, message, cause);
    }
}
