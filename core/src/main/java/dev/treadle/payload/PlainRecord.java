package dev.treadle.payload;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes a record of plain components as a JSON object, in the order of declaration, as the binding does. */
final class PlainRecord {
    private final Constructor<?> constructor;
    private final Part[] parts;
    /**
     * Whether this record and all nested ones have the generated {@code equals}, which compares all components and is
     * faster than comparing them one by one.
     */
    private final boolean isEqualsGiven;

    /** @param index its position among the constructor's parameters */
    private record Part(String name, int index, Method accessor, Field field, PlainCodec codec) {
        @Nullable
        Object of(Object value) {
            try {
                return accessor.invoke(value);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }

        boolean isSame(Object one, Object other) {
            try {
                return codec.isSame(field.get(one), field.get(other));
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private PlainRecord(Constructor<?> constructor, Part[] parts, boolean isEqualsGiven) {
        this.constructor = constructor;
        this.parts = parts;
        this.isEqualsGiven = isEqualsGiven;
    }

    /** The codec for a record class; null if a component is not plain, or its module does not open it to us. */
    static @Nullable PlainRecord of(Class<?> type, Set<Class<?>> within) {
        Set<Class<?>> around = new HashSet<>(within);
        around.add(type);
        RecordComponent[] components = type.getRecordComponents();
        Part[] parts = new Part[components.length];
        Class<?>[] types = new Class<?>[components.length];
        try {
            for (int i = 0; i < parts.length; i++) {
                PlainCodec codec = PlainCodec.of(components[i].getType(), around);
                if (codec == null || components[i].getGenericType() != components[i].getType()) {
                    return null;
                }
                types[i] = components[i].getType();
                Method accessor = components[i].getAccessor();
                accessor.setAccessible(true);
                Field field = type.getDeclaredField(components[i].getName());
                field.setAccessible(true);
                parts[i] = new Part(components[i].getName(), i, accessor, field, codec);
            }
            Constructor<?> canonical = type.getDeclaredConstructor(types);
            canonical.setAccessible(true);
            // the compiler makes a generated one final, and programmers do not write final there
            boolean isEqualsGiven = Modifier.isFinal(
                    type.getDeclaredMethod("equals", Object.class).getModifiers());
            for (Part part : parts) {
                isEqualsGiven &= part.codec.isEqualsGiven();
            }
            return new PlainRecord(canonical, parts, isEqualsGiven);
        } catch (NoSuchMethodException | NoSuchFieldException | InaccessibleObjectException e) {
            return null;
        }
    }

    /**
     * Writes a record that can be read back. A constructor or an accessor may change what it is given, for some values
     * only. So each record is constructed again from its components and compared.
     */
    void write(PlainWriter out, Object value) {
        @Nullable Object[] values = new @Nullable Object[parts.length];
        out.begin('{');
        for (Part part : parts) {
            values[part.index] = part.of(value);
            out.name(part.name);
            part.codec.write(out, values[part.index]);
        }
        out.end('}');
        PlainReader.demand(isSame(value, made(values)));
    }

    boolean isEqualsGiven() {
        return isEqualsGiven;
    }

    /** Whether two records are the same in every component. */
    boolean isSame(Object one, Object other) {
        if (isEqualsGiven) {
            return one.equals(other);
        }
        for (Part part : parts) {
            if (!part.isSame(one, other)) {
                return false;
            }
        }
        return true;
    }

    Object read(PlainReader in) {
        in.expect('{');
        @Nullable Object[] values = new @Nullable Object[parts.length];
        for (Part part : parts) {
            if (part.index > 0) {
                in.expect(',');
            }
            PlainReader.demand(part.name.equals(in.string()));
            in.expect(':');
            values[part.index] = part.codec.read(in);
        }
        in.expect('}');
        return made(values);
    }

    private Object made(@Nullable Object[] values) {
        try {
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            // the binding calls it again, and reports what it threw
            throw new IllegalStateException(e);
        }
    }
}
