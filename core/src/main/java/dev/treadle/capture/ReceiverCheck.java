package dev.treadle.capture;

import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a job would be called on the kind of object that its caller uses. Only the declared type of the receiver
 * is stored. Without a container that supplies the object, the job would be called on an object of the declared type,
 * although the caller may hold one of a subclass. Immutable.
 */
final class ReceiverCheck {
    private final Class<?> type;
    private final Value receiver;

    private ReceiverCheck(Class<?> type, Value receiver) {
        this.type = type;
        this.receiver = receiver;
    }

    /**
     * The check to make at each capture; null if none is needed.
     *
     * @throws RefusedException if no object of that type can be supplied
     */
    static @Nullable ReceiverCheck of(Class<?> type, Value receiver, Supply supply, ClassLoader loader) {
        if (supply == Supply.ACTIVATOR) {
            return null;
        }
        boolean isAbstract = Modifier.isAbstract(type.getModifiers());
        if (isAbstract && supply == Supply.CONSTRUCTOR) {
            throw new RefusedException(
                    "is called on " + (type.isInterface() ? "the interface " : "the abstract class ") + type.getName()
                            + ", which has no objects of its own",
                    "Declare the variable as the class that does it, or give Treadle a JobActivator that knows it.");
        }
        boolean isKnown = isAbstract || Modifier.isFinal(type.getModifiers()) || receiver instanceof Value.Service;
        return isKnown ? null : looking(type, receiver, loader);
    }

    private static @Nullable ReceiverCheck looking(Class<?> type, Value receiver, ClassLoader loader) {
        try {
            return new ReceiverCheck(type, receiver.linked(loader));
        } catch (RefusedException e) {
            // not reported: the object is only inspected where that is possible
            return null;
        }
    }

    /** Refuses an object of a subclass. */
    void ask(SerializedLambda lambda, @Nullable Object[] given) {
        Class<?> actual = written(object(lambda, given));
        if (actual != type) {
            throw new RefusedException(
                    "is called on a variable of the type " + type.getName() + " that holds a " + actual.getName()
                            + ", and the job would be called on a " + type.getName(),
                    "Declare the variable as " + actual.getName()
                            + ", or give Treadle a JobActivator that knows what stands behind the type.");
        }
    }

    private @Nullable Object object(SerializedLambda lambda, @Nullable Object[] given) {
        try {
            return receiver.in(lambda, given);
        } catch (RefusedException e) {
            return null;
        }
    }

    /** The class that a programmer wrote. Containers generate subclasses with names that show it. */
    private Class<?> written(@Nullable Object object) {
        Class<?> actual = object == null ? type : object.getClass();
        while (actual != type && actual.getName().contains("$$")) {
            actual = actual.getSuperclass();
        }
        return actual;
    }
}
