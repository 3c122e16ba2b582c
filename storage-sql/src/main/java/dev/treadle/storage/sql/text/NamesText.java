package dev.treadle.storage.sql.text;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A set of names as the text in a row: a JSON array, null if there are none. */
public final class NamesText {
    private NamesText() {}

    public static @Nullable String write(Set<String> names) {
        return names.isEmpty() ? null : JsonTree.write(new TreeSet<>(names));
    }

    /** @throws IllegalStateException if the row was changed by hand, so that it is not known what is secret */
    public static Set<String> read(@Nullable String text) {
        if (text == null) {
            return Set.of();
        }
        if (!(JsonTree.read(text) instanceof List<?> all)) {
            throw new IllegalStateException("This is no array of names: " + text);
        }
        Set<String> names = new HashSet<>();
        all.forEach(name -> names.add(String.valueOf(name)));
        return names;
    }
}
