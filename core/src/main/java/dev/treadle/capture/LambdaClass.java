package dev.treadle.capture;

import java.io.Serializable;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * The class behind one lambda expression: how to read its captured values, and its recipe once that has been made. If
 * two threads make the recipe at once, both make the same.
 */
final class LambdaClass {
    private final Method writeReplace;
    private volatile @Nullable Recipe plain;
    private volatile @Nullable Recipe targeted;

    LambdaClass(Class<?> type) {
        try {
            this.writeReplace = type.getDeclaredMethod("writeReplace");
        } catch (NoSuchMethodException e) {
            throw notALambda(type);
        }
        // the host, because people know its name
        Fields.open(writeReplace, type.getNestHost());
    }

    /** The lambda as data: the place of its code, and the values that it captured. */
    SerializedLambda data(Serializable lambda) {
        try {
            Object data = writeReplace.invoke(lambda);
            if (data instanceof SerializedLambda found) {
                return found;
            }
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new RefusedException(
                    "cannot be asked for its captured values (" + e + ")",
                    "Give a lambda or method reference written in Java.",
                    e);
        }
        throw notALambda(lambda.getClass());
    }

    /** The recipe; null until it has been made. */
    @Nullable
    Recipe recipe(boolean isTargeted) {
        return isTargeted ? targeted : plain;
    }

    void keep(boolean isTargeted, Recipe recipe) {
        if (isTargeted) {
            targeted = recipe;
        } else {
            plain = recipe;
        }
    }

    private static RefusedException notALambda(Class<?> type) {
        return new RefusedException(
                "is an object of " + type.getName() + " and no lambda or method reference",
                "Write the lambda in the call: jobs.enqueue(() -> slips.generate(42L))."
                        + " Kotlin makes such objects of lambdas under -Xlambdas=class and -Xsam-conversions=class: leave these out.");
    }
}
