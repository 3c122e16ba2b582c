package dev.treadle.invoke;

import dev.treadle.job.JobActivator;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;

/**
 * The default activator: it creates a new instance for each run with the constructor without parameters. It never
 * shares an instance, because only the application knows whether one may serve two jobs at once.
 */
public final class ConstructorActivator implements JobActivator {
    private static final String REMEDY =
            " Give Treadle a JobActivator that knows one, or add a public constructor without parameters.";

    @Override
    public <T> T activate(Class<T> type) throws Exception {
        if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
            throw new IllegalStateException(type.getName() + " is an interface or abstract, so it has no instances."
                    + " Give Treadle a JobActivator that knows which class stands behind it.");
        }
        T only = only(type);
        if (only != null) {
            return only;
        }
        try {
            Constructor<T> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(type.getName() + " has no constructor without parameters." + REMEDY, e);
        } catch (InaccessibleObjectException e) {
            throw new IllegalStateException(OpensDirective.remedy(type), e);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception thrown ? thrown : e;
        }
    }

    /** The only instance of a singleton type, mostly a Kotlin object. */
    private static <T> @Nullable T only(Class<T> type) throws IllegalAccessException {
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (!Modifier.isPrivate(constructor.getModifiers()) && !constructor.isSynthetic()) {
                return null;
            }
        }
        for (Class<?> holder = type; holder != null; holder = holder.getEnclosingClass()) {
            for (Field field : holder.getDeclaredFields()) {
                if (field.getType() == type
                        && Modifier.isStatic(field.getModifiers())
                        && Modifier.isFinal(field.getModifiers())) {
                    field.setAccessible(true);
                    return type.cast(field.get(null));
                }
            }
        }
        return null;
    }
}
