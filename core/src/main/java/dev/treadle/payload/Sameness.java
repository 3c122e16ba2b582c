package dev.treadle.payload;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Looks for a place where the value read back differs from the given one. It compares fields at every depth and calls
 * no {@code equals} of the application, which may compare ids alone. Lists, sets and maps are compared by content and
 * not by implementation. Used by one thread, for one value.
 */
final class Sameness {
    private static final Set<String> COMPARED_BY_TEXT = Set.of(
            "java.lang.StringBuffer",
            "java.lang.StringBuilder",
            "java.util.concurrent.atomic.AtomicBoolean",
            "java.util.concurrent.atomic.AtomicInteger",
            "java.util.concurrent.atomic.AtomicLong");

    private final Function<Class<?>, Shape> shapes;
    private final Containers containers = new Containers(this);
    /** The values under comparison, so that a cycle of references ends. */
    private final Set<Object> within = Collections.newSetFromMap(new IdentityHashMap<>());

    Sameness(Function<Class<?>, Shape> shapes) {
        this.shapes = shapes;
    }

    /** The first difference; null if there is none. */
    @Nullable
    Difference between(@Nullable Object given, @Nullable Object back) {
        if (given == back) {
            return null;
        }
        if (given == null || back == null) {
            return Difference.ofValues(given, back);
        }
        if (!within.add(given)) {
            return null;
        }
        try {
            return betweenObjects(given, back);
        } finally {
            within.remove(given);
        }
    }

    private @Nullable Difference betweenObjects(Object given, Object back) {
        if (given instanceof Map<?, ?> a && back instanceof Map<?, ?> b) {
            return whole(containers.maps(a, b), given, back);
        }
        if (given instanceof Collection<?> a && back instanceof Collection<?> b) {
            return Containers.isOneKind(a, b)
                    ? whole(containers.collections(a, b), given, back)
                    : Difference.ofClasses(given, back);
        }
        if (given instanceof Map.Entry<?, ?> a && back instanceof Map.Entry<?, ?> b) {
            return containers.entries(a, b);
        }
        Class<?> type = given.getClass();
        if (type != back.getClass()) {
            return Difference.ofClasses(given, back);
        }
        if (type.isArray()) {
            return arrays(given, back);
        }
        if (given instanceof Optional<?> a && back instanceof Optional<?> b) {
            return between(a.orElse(null), b.orElse(null));
        }
        if (given instanceof AtomicReference<?> a && back instanceof AtomicReference<?> b) {
            return between(a.get(), b.get());
        }
        boolean isLeaf = given instanceof JsonNode || given instanceof Enum<?> || NeverTargets.isPlatform(type);
        return isLeaf ? leaves(given, back) : fields(given, back);
    }

    private static @Nullable Difference leaves(Object given, Object back) {
        boolean isByText = given instanceof JsonNode
                || COMPARED_BY_TEXT.contains(given.getClass().getName());
        boolean isSame = isByText
                ? given.toString().equals(back.toString())
                : given instanceof Pattern a && back instanceof Pattern b
                        ? a.pattern().equals(b.pattern()) && a.flags() == b.flags()
                        : given.equals(back);
        return isSame ? null : Difference.ofValues(given, back);
    }

    private @Nullable Difference fields(Object given, Object back) {
        Shape shape = shapes.apply(given.getClass());
        boolean isItsOwnJudge = !shape.isReadable() || shape.isPlatforms();
        if (isItsOwnJudge && !given.equals(back)) {
            return Difference.ofValues(given, back);
        }
        return shape.isReadable() ? fields(shape, given, back) : null;
    }

    private @Nullable Difference fields(Shape shape, Object given, Object back) {
        for (Field field : shape.fields()) {
            Difference found;
            try {
                found = between(field.get(given), field.get(back));
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
            if (found != null) {
                return (SecretMarks.isMarked(field) ? found.hidden() : found).within(field.getName());
            }
        }
        return null;
    }

    /**
     * Containers differ by their contents, or by fields that an application's subclass adds, such as a name of a list.
     */
    private @Nullable Difference whole(@Nullable Difference inside, Object given, Object back) {
        Class<?> type = given.getClass();
        if (inside != null || NeverTargets.isPlatform(type)) {
            return inside;
        }
        Shape shape = shapes.apply(type);
        if (!shape.isPlatforms() || shape.fields().isEmpty()) {
            return null;
        }
        return type == back.getClass() ? fields(shape, given, back) : Difference.ofClasses(given, back);
    }

    private @Nullable Difference arrays(Object given, Object back) {
        if (given.getClass().getComponentType().isPrimitive()) {
            return Objects.deepEquals(given, back) ? null : Difference.ofValues(given, back);
        }
        int length = Array.getLength(given);
        if (length != Array.getLength(back)) {
            return Difference.ofSizes(length, Array.getLength(back));
        }
        return containers.inOrder(Arrays.asList((Object[]) given), Arrays.asList((Object[]) back));
    }
}
