package dev.treadle.showdown;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Records as rows of a table: the components of a record are its columns, in their order. */
final class Rows {
    private Rows() {}

    /** The values of all components. */
    static List<Object> values(Record row) {
        List<Object> values = new ArrayList<>();
        for (RecordComponent component : row.getClass().getRecordComponents()) {
            try {
                values.add(component.getAccessor().invoke(row));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("cannot read " + component, e);
            }
        }
        return values;
    }

    /**
     * A record from a row of text.
     *
     * @param names the columns of its components, in order
     * @param row   its values by column; a missing one is read as empty text, as older files lack newer columns
     * @throws IllegalArgumentException if a value is not of the type of its component
     */
    static <R extends Record> R read(Class<R> type, List<String> names, Map<String, String> row) {
        RecordComponent[] components = type.getRecordComponents();
        if (components.length != names.size()) {
            throw new IllegalArgumentException(type.getSimpleName() + " has " + components.length
                    + " components, and there are " + names.size() + " names: " + names);
        }
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(components[i].getType(), row.getOrDefault(names.get(i), ""));
        }
        try {
            Constructor<R> constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot make a " + type.getSimpleName() + " of " + row, e);
        }
    }

    private static Object value(Class<?> type, String text) {
        if (type == String.class) {
            return text;
        } else if (type == int.class) {
            return Integer.parseInt(text);
        } else if (type == long.class) {
            return Long.parseLong(text);
        } else if (type == boolean.class) {
            return Boolean.parseBoolean(text);
        } else if (type == Fate.class) {
            return Fate.valueOf(text);
        }
        throw new IllegalArgumentException("no column is read as " + type.getName());
    }
}
