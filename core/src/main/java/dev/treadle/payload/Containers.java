package dev.treadle.payload;

import java.time.temporal.Temporal;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Compares the contents of two containers. The order counts, unless the declared type has none, such as {@code
 * HashSet}.
 */
final class Containers {
    /** Longest key in a message, in characters. */
    private static final int KEY_CHARS_MAX = 60;

    private final Sameness parts;

    Containers(Sameness parts) {
        this.parts = parts;
    }

    /** Whether the two are containers of the same kind. */
    static boolean isOneKind(Collection<?> given, Collection<?> back) {
        boolean isSet = given instanceof Set && back instanceof Set;
        boolean isList = given instanceof List && back instanceof List;
        boolean isQueue = given instanceof Queue && back instanceof Queue;
        return isSet || isList || isQueue || given.getClass() == back.getClass();
    }

    @Nullable
    Difference collections(Collection<?> given, Collection<?> back) {
        if (given.size() != back.size()) {
            return Difference.ofSizes(given.size(), back.size());
        }
        Difference found = inOrder(given, back);
        boolean isOrdered = !(back instanceof Set) || back instanceof LinkedHashSet || back instanceof SortedSet;
        return found == null || isOrdered ? found : inAnyOrder(given, back);
    }

    @Nullable
    Difference inOrder(Collection<?> given, Collection<?> back) {
        Iterator<?> others = back.iterator();
        int at = 0;
        for (Object one : given) {
            Difference found = parts.between(one, others.next());
            if (found != null) {
                return found.within("[" + at + "]");
            }
            at++;
        }
        return null;
    }

    private @Nullable Difference inAnyOrder(Collection<?> given, Collection<?> back) {
        Map<Object, Object> others = new HashMap<>();
        back.forEach(one -> others.put(one, one));
        int at = 0;
        for (Object one : given) {
            Difference found = parts.between(one, others.get(one));
            if (found != null) {
                return found.within("[" + at + "]");
            }
            at++;
        }
        return null;
    }

    @Nullable
    Difference maps(Map<?, ?> given, Map<?, ?> back) {
        if (given.size() != back.size()) {
            return Difference.ofSizes(given.size(), back.size());
        }
        Difference found = entriesInOrder(given, back);
        boolean isOrdered = back instanceof LinkedHashMap || back instanceof SortedMap;
        return found == null || isOrdered ? found : entriesInAnyOrder(given, back);
    }

    private @Nullable Difference entriesInOrder(Map<?, ?> given, Map<?, ?> back) {
        Iterator<? extends Map.Entry<?, ?>> others = back.entrySet().iterator();
        for (Map.Entry<?, ?> one : given.entrySet()) {
            Difference found = entries(one, others.next());
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private @Nullable Difference entriesInAnyOrder(Map<?, ?> given, Map<?, ?> back) {
        for (Map.Entry<?, ?> one : given.entrySet()) {
            Object key = one.getKey();
            Difference found = back.containsKey(key)
                    ? parts.between(one.getValue(), back.get(key))
                    : Difference.ofValues(key, null).within("a key");
            if (found != null) {
                return found.within(part(key));
            }
        }
        return null;
    }

    @Nullable
    Difference entries(Map.Entry<?, ?> given, Map.Entry<?, ?> back) {
        Difference found = parts.between(given.getKey(), back.getKey());
        if (found != null) {
            return found.within("(key)").within(part(given.getKey()));
        }
        found = parts.between(given.getValue(), back.getValue());
        return found == null ? null : found.within(part(given.getKey()));
    }

    private static String part(@Nullable Object key) {
        if (key instanceof String text) {
            return text.length() <= KEY_CHARS_MAX ? "[\"" + text + "\"]" : "[…]";
        }
        boolean isShort = key instanceof Number
                || key instanceof Enum<?>
                || key instanceof UUID
                || key instanceof Temporal
                || key instanceof Boolean;
        return isShort ? "[" + key + "]" : "[…]";
    }
}
