package dev.treadle.capture;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Fields that a lambda reads, such as {@code this.id}. */
final class Fields {
    private Fields() {}

    /** The field that a name refers to in the code of a class, made readable. */
    static Field readable(String type, String name, ClassLoader loader) {
        try {
            Field field = find(Class.forName(type, false, loader), name);
            open(field, field.getDeclaringClass());
            return field;
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new RefusedException(
                    "reads the field " + name + " of " + type + ", which cannot be found (" + e + ")",
                    "Put the value into a local variable before the lambda, and use that.",
                    e);
        }
    }

    static @Nullable Object read(Field field, @Nullable Object owner, boolean isStatic) {
        if (owner == null && !isStatic) {
            throw new RefusedException(
                    "reads the field " + field.getName() + " of null", "Check the value before enqueueing.");
        }
        try {
            return field.get(owner);
        } catch (IllegalAccessException | LinkageError e) {
            throw new RefusedException(
                    "reads the field " + field.getName() + ", which failed with " + e,
                    "Put the value into a local variable before the lambda, and use that.",
                    e);
        }
    }

    /** Makes a member accessible. If a module forbids that, the error names the line that allows it. */
    static void open(AccessibleObject member, Class<?> declaring) {
        try {
            member.setAccessible(true);
        } catch (InaccessibleObjectException e) {
            throw new RefusedException(
                    "needs access to " + declaring.getName() + ", which the module "
                            + declaring.getModule().getName() + " does not give",
                    "Add this line to its module-info.java: opens " + declaring.getPackageName() + " to "
                            + Fields.class.getModule().getName() + ";",
                    e);
        }
    }

    private static Field find(Class<?> type, String name) throws NoSuchFieldException {
        Deque<Class<?>> open = new ArrayDeque<>(List.of(type));
        while (!open.isEmpty()) {
            Class<?> next = open.remove();
            for (Field field : next.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    return field;
                }
            }
            open.addAll(List.of(next.getInterfaces()));
            if (next.getSuperclass() != null) {
                open.add(next.getSuperclass());
            }
        }
        throw new NoSuchFieldException(name);
    }
}
