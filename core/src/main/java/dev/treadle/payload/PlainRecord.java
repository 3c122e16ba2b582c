package dev.treadle.payload;

import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A record of plain components as a JSON object of just these, in the order of their declaration, as the binding does it. */
final class PlainRecord {
    private final Constructor<?> constructor;
    private final Part[] parts;

    /** @param index its place among the constructor's parameters */
    private record Part(String name, int index, Method accessor, PlainCodec codec) {
        @Nullable
        Object of(Object value) {
            try {
                return accessor.invoke(value);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private PlainRecord(Constructor<?> constructor, Part[] parts) {
        this.constructor = constructor;
        this.parts = parts;
    }

    /** Of a class that is one; null if a component is not plain, or its module keeps it from us. */
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
                parts[i] = new Part(components[i].getName(), i, accessor, codec);
            }
            Constructor<?> canonical = type.getDeclaredConstructor(types);
            canonical.setAccessible(true);
            return new PlainRecord(canonical, parts);
        } catch (NoSuchMethodException | InaccessibleObjectException e) {
            return null;
        }
    }

    void write(PlainWriter out, Object value) {
        out.begin('{');
        for (Part part : parts) {
            out.name(part.name);
            part.codec.write(out, part.of(value));
        }
        out.end('}');
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
        try {
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            // the binding calls it again, and says what it threw
            throw new IllegalStateException(e);
        }
    }
}
