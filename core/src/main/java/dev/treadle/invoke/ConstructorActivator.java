package dev.treadle.invoke;

import dev.treadle.job.JobActivator;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;

/**
 * The activator where none is given: a new instance for each run, by the constructor without parameters. A new one
 * each time, because only its owner knows whether an object may serve two jobs at once.
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
        try {
            Constructor<T> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(type.getName() + " has no constructor without parameters." + REMEDY, e);
        } catch (InaccessibleObjectException e) {
            throw new IllegalStateException(Opens.remedy(type), e);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception thrown ? thrown : e;
        }
    }
}
