package dev.treadle.payload;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes methods as text and finds them again: the name and the erased parameter types, {@code
 * generate(long,java.lang.String)}.
 */
public final class MethodName {
    /** The suffix of methods that kotlinc generates to fill in the default arguments of another method. */
    public static final String DEFAULTS = "$default";

    private MethodName() {}

    /** Whether it is such a method for an instance method; its first parameter is then the object. */
    public static boolean takesReceiver(Method method) {
        return method.isSynthetic()
                && Modifier.isStatic(method.getModifiers())
                && method.getName().endsWith(DEFAULTS)
                && method.getParameterCount() > 0
                && method.getParameterTypes()[0] == method.getDeclaringClass();
    }

    /** The text for a method. */
    public static String of(Method method) {
        return Stream.of(method.getParameterTypes())
                .map(Class::getTypeName)
                .collect(Collectors.joining(",", method.getName() + "(", ")"));
    }

    /**
     * Finds the method for a text: the class's own, or else the nearest inherited one.
     *
     * @throws NoSuchMethodException if there is none that may be called; the message gives the reason and names similar
     *                               methods
     */
    public static Method find(Class<?> type, String text) throws NoSuchMethodException {
        int bracket = text.indexOf('(');
        String name = bracket < 0 ? text : text.substring(0, bracket);
        Set<String> near = new LinkedHashSet<>();
        for (Class<?> owner : lineage(type)) {
            for (Method method : owner.getDeclaredMethods()) {
                if (!method.getName().equals(name) || method.isBridge() || !isInherited(method, owner, type)) {
                    continue;
                }
                String candidate = of(method);
                if (candidate.equals(text)) {
                    return callable(method, type, text);
                }
                near.add(candidate);
            }
        }
        throw new NoSuchMethodException(type.getName() + " has no method " + text + ". "
                + (near.isEmpty() ? "It has none named " + name : "It has " + String.join(" and ", near))
                + ": keep the old method beside the new one until no stored job calls it.");
    }

    /** The methods of a class, its own first, then those that it inherits; overridden ones too. */
    static List<Method> all(Class<?> type) {
        List<Method> all = new ArrayList<>();
        for (Class<?> owner : lineage(type)) {
            for (Method method : owner.getDeclaredMethods()) {
                if (!method.isBridge() && isInherited(method, owner, type)) {
                    all.add(method);
                }
            }
        }
        return all;
    }

    private static Method callable(Method method, Class<?> type, String text) throws NoSuchMethodException {
        if (Modifier.isPrivate(method.getModifiers())) {
            throw new NoSuchMethodException("The method " + text + " of " + type.getName()
                    + " is private: make it public, protected or package-private.");
        }
        return method;
    }

    /** Private methods are not inherited, and neither are static methods of interfaces. */
    private static boolean isInherited(Method method, Class<?> owner, Class<?> type) {
        int modifiers = method.getModifiers();
        return owner == type
                || !Modifier.isPrivate(modifiers) && !(owner.isInterface() && Modifier.isStatic(modifiers));
    }

    /** The class, its superclasses from the nearest on, then all their interfaces. */
    private static Set<Class<?>> lineage(Class<?> type) {
        Set<Class<?>> lineage = new LinkedHashSet<>();
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            lineage.add(c);
        }
        Deque<Class<?>> open = new ArrayDeque<>(lineage);
        while (!open.isEmpty()) {
            for (Class<?> i : open.remove().getInterfaces()) {
                if (lineage.add(i)) {
                    open.add(i);
                }
            }
        }
        return lineage;
    }
}
