package dev.treadle.payload;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.treadle.job.Invocation;
import dev.treadle.job.Secret;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the code of a job marks as {@link Secret}. Values of these names are hidden everywhere in the job's texts, even
 * where that hides too much.
 *
 * @param names     names of marked fields, at any depth of its arguments and its result
 * @param positions positions of marked parameters of the called method, from 0
 */
public record SecretMarks(Set<String> names, Set<Integer> positions) {
    /** Nothing is marked. */
    public static final SecretMarks NONE = new SecretMarks(Set.of(), Set.of());

    /** The text shown in place of a secret. */
    public static final String HIDDEN = "•••";

    /** How many types are inspected for one job at most. */
    private static final int TYPES_MAX = 1_000;

    /** Copies both. */
    public SecretMarks {
        names = Set.copyOf(names);
        positions = Set.copyOf(positions);
    }

    /**
     * The marks in a job's code. The code is inspected; none of it runs.
     *
     * @param called the class of a request, or the one that declares the method
     * @param method as in {@link Invocation}; null for a request
     */
    public static SecretMarks of(Class<?> called, @Nullable String method) {
        Look look = new Look();
        Set<Integer> positions = new HashSet<>();
        try {
            if (method == null) {
                look.at(called);
            } else {
                methods(called)
                        .filter(one -> signature(one).equals(method))
                        .forEach(one -> parameters(one, look, positions));
            }
        } catch (LinkageError | RuntimeException e) {
            // inspecting a class of the application may throw anything; the marks found so far remain valid
        }
        return look.names.isEmpty() && positions.isEmpty() ? NONE : new SecretMarks(look.names, positions);
    }

    /**
     * The names that are marked within a value, at any depth.
     *
     * @param declared what it is declared as
     * @param actual   what it is
     */
    public static Set<String> within(Type declared, Class<?> actual) {
        Look look = new Look();
        try {
            look.at(declared);
            look.at(actual);
        } catch (LinkageError | RuntimeException e) {
            // why so wide: as above
        }
        return look.names;
    }

    /** Whether a field is marked, or the parameter of a constructor that it belongs to. */
    static boolean isMarked(Field field) {
        return field.isAnnotationPresent(Secret.class)
                || KotlinTypes.annotatedParameters(field.getDeclaringClass(), Secret.class)
                        .contains(field.getName());
    }

    private static Stream<Method> methods(Class<?> type) {
        return Stream.<Class<?>>iterate(type, c -> c != null, Class::getSuperclass)
                .flatMap(c -> Stream.concat(Stream.of(c), Arrays.stream(c.getInterfaces())))
                .flatMap(c -> Arrays.stream(c.getDeclaredMethods()));
    }

    private static String signature(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getTypeName)
                .collect(Collectors.joining(",", method.getName() + "(", ")"));
    }

    private static void parameters(Method method, Look look, Set<Integer> positions) {
        Parameter[] parameters = method.getParameters();
        for (int i = 0; i < parameters.length; i++) {
            if (parameters[i].isAnnotationPresent(Secret.class)) {
                positions.add(i);
            }
            look.at(parameters[i].getParameterizedType());
        }
        look.at(method.getGenericReturnType());
    }

    /** Inspects types, the types of their fields, and their supertypes. */
    private static final class Look {
        private final Set<String> names = new HashSet<>();
        private final Set<Type> seen = new HashSet<>();

        void at(@Nullable Type type) {
            if (type == null || seen.size() >= TYPES_MAX || !seen.add(type)) {
                return;
            }
            if (type instanceof Class<?> one) {
                in(one);
            } else if (type instanceof ParameterizedType many) {
                at(many.getRawType());
                all(many.getActualTypeArguments());
            } else if (type instanceof GenericArrayType array) {
                at(array.getGenericComponentType());
            } else if (type instanceof WildcardType any) {
                all(any.getUpperBounds());
            } else if (type instanceof TypeVariable<?> some) {
                all(some.getBounds());
            }
        }

        private void all(Type[] types) {
            Arrays.stream(types).forEach(this::at);
        }

        private void in(Class<?> type) {
            if (type.isArray()) {
                at(type.getComponentType());
                return;
            }
            if (type.isPrimitive() || type.isEnum() || type.getName().startsWith("java.")) {
                return;
            }
            names.addAll(KotlinTypes.annotatedParameters(type, Secret.class));
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    named(field, field.getName());
                    at(field.getGenericType());
                }
            }
            for (Method method : type.getDeclaredMethods()) {
                if (method.getParameterCount() == 0 && !Modifier.isStatic(method.getModifiers())) {
                    String ofKotlin = KotlinTypes.property(method);
                    named(method, ofKotlin == null ? property(method.getName()) : ofKotlin);
                }
            }
            at(type.getGenericSuperclass());
            all(type.getGenericInterfaces());
            if (type.isSealed()) {
                all(type.getPermittedSubclasses());
            }
        }

        private void named(AnnotatedElement element, String name) {
            if (element.isAnnotationPresent(Secret.class)) {
                names.add(name);
                JsonProperty other = element.getAnnotation(JsonProperty.class);
                if (other != null && !other.value().isEmpty()) {
                    names.add(other.value());
                }
            }
        }

        /** The property of {@code getAccount} or {@code account} is {@code account}. */
        private static String property(String method) {
            int prefix = method.matches("get[A-Z].*") ? 3 : method.matches("is[A-Z].*") ? 2 : 0;
            return prefix == 0
                    ? method
                    : method.substring(prefix, prefix + 1).toLowerCase(java.util.Locale.ROOT)
                            + method.substring(prefix + 1);
        }
    }
}
