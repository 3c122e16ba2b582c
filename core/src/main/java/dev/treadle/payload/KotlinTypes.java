package dev.treadle.payload;

import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What kotlinc makes of classes, as far as jobs meet it. A value class ({@code @JvmInline value class OrderId(val n: Long)}) is
 * its value wherever that is possible: a property of it is a {@code long}, its getter has a suffix ({@code getId-k3Vh8w}), and
 * the constructor that takes it is private, beside a synthetic one with a marker as last parameter.
 */
public final class KotlinTypes {
    /** The last parameter of constructors that only kotlinc calls. */
    static final String MARKER = "kotlin.jvm.internal.DefaultConstructorMarker";

    private static final String BOX = "box-impl";
    private static final String MAKE = "constructor-impl";
    private static final String METADATA = "kotlin.Metadata";

    private KotlinTypes() {}

    /**
     * Whether a method is what kotlinc calls for the constructor of a value class: it checks the value, or wraps it, and does
     * nothing else.
     */
    public static boolean makesValueClass(Method method) {
        return isNameOfMaker(method.getName())
                && Modifier.isStatic(method.getModifiers())
                && isValueClass(method.getDeclaringClass());
    }

    /** Whether such a method may have this name. */
    public static boolean isNameOfMaker(String name) {
        return name.equals(MAKE) || name.equals(BOX);
    }

    static boolean isKotlin(Class<?> type) {
        for (Annotation annotation : type.getDeclaredAnnotations()) {
            if (annotation.annotationType().getName().equals(METADATA)) {
                return true;
            }
        }
        return false;
    }

    static boolean isValueClass(Class<?> type) {
        return boxing(type) != null && isKotlin(type);
    }

    /** The method that wraps a value; null if it is no value class. */
    static @Nullable Method boxing(Class<?> type) {
        return method(type, BOX);
    }

    /** The method that checks a value, as the constructor does; null if it is no value class. */
    static @Nullable Method checking(Class<?> type) {
        return method(type, MAKE);
    }

    private static @Nullable Method method(Class<?> type, String name) {
        for (Method method : type.getDeclaredMethods()) {
            // a secondary constructor has the same name, and takes something else than the value
            Field value = method.getName().equals(name) ? value(type) : null;
            if (value != null
                    && method.getParameterCount() == 1
                    && method.getParameterTypes()[0] == value.getType()
                    && method.trySetAccessible()) {
                return method;
            }
        }
        return null;
    }

    /** The field of a value class. */
    static @Nullable Field value(Class<?> type) {
        Field found = null;
        for (Field field : type.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                if (found != null) {
                    return null;
                }
                found = field;
            }
        }
        return found;
    }

    /** Whether kotlinc made this constructor private because it takes a value class. */
    static boolean isHidden(Constructor<?> constructor) {
        Class<?> type = constructor.getDeclaringClass();
        return Modifier.isPrivate(constructor.getModifiers())
                && !constructor.isSynthetic()
                && !Modifier.isAbstract(type.getModifiers())
                && hasMangledName(type)
                && Arrays.stream(type.getDeclaredConstructors())
                        .anyMatch(other -> other.isSynthetic()
                                && Arrays.equals(other.getParameterTypes(), withMarker(constructor, other)));
    }

    /** A private constructor that a companion calls has a twin with a marker, too. */
    private static boolean hasMangledName(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .anyMatch(method -> method.getName().indexOf('-') > 0);
    }

    private static Class<?> @Nullable [] withMarker(Constructor<?> constructor, Constructor<?> twin) {
        Class<?>[] theirs = twin.getParameterTypes();
        int last = theirs.length - 1;
        if (last != constructor.getParameterCount() || !theirs[last].getName().equals(MARKER)) {
            return null;
        }
        Class<?>[] all = Arrays.copyOf(constructor.getParameterTypes(), last + 1);
        all[last] = theirs[last];
        return all;
    }

    /**
     * The property that an accessor of a Kotlin class reads or sets: the one whose field has the name that the accessor was made
     * of. The rules of beans give other names to {@code eMail}, {@code isPaid} and what has a suffix. Null if there is none.
     */
    static @Nullable String property(Method accessor) {
        Class<?> type = accessor.getDeclaringClass();
        if (Modifier.isStatic(accessor.getModifiers()) || accessor.getParameterCount() > 1 || !isKotlin(type)) {
            return null;
        }
        String name = accessor.getName().split("[-$]", 2)[0];
        boolean isSetter = accessor.getParameterCount() == 1;
        if (!isSetter && name.matches("is[^a-z].*")) {
            return field(type, name);
        }
        if (!name.startsWith(isSetter ? "set" : "get") || name.length() == 3) {
            return null;
        }
        String rest = name.substring(3);
        String small = Character.toLowerCase(rest.charAt(0)) + rest.substring(1);
        return Stream.of(small, rest, "is" + rest)
                .filter(one -> field(type, one) != null)
                .findFirst()
                .orElse(null);
    }

    private static @Nullable String field(Class<?> type, String name) {
        return Arrays.stream(type.getDeclaredFields())
                        .anyMatch(field -> !Modifier.isStatic(field.getModifiers())
                                && field.getName().equals(name))
                ? name
                : null;
    }

    /**
     * The names of parameters of constructors that have an annotation. In {@code data class Pay(@Secret val account: String)}
     * kotlinc puts it on the parameter, and of a hidden constructor on that of its twin.
     */
    static Set<String> annotatedParameters(Class<?> type, Class<? extends Annotation> annotation) {
        Set<String> found = new HashSet<>();
        if (!isKotlin(type)) {
            return found;
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            Parameter[] parameters = constructor.getParameters();
            for (int i = 0; i < parameters.length; i++) {
                if (parameters[i].isAnnotationPresent(annotation)) {
                    String name = name(type, constructor, i);
                    if (name != null) {
                        found.add(name);
                    }
                }
            }
        }
        return found;
    }

    private static @Nullable String name(Class<?> type, Constructor<?> constructor, int index) {
        Parameter own = constructor.getParameters()[index];
        if (own.isNamePresent() && !constructor.isSynthetic()) {
            return own.getName();
        }
        return Arrays.stream(type.getDeclaredConstructors())
                .filter(other -> Arrays.equals(constructor.getParameterTypes(), withMarker(other, constructor)))
                .map(other -> other.getParameters()[index])
                .filter(Parameter::isNamePresent)
                .map(Parameter::getName)
                .findFirst()
                .orElse(null);
    }
}
