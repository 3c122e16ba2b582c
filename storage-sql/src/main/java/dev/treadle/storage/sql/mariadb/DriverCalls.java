package dev.treadle.storage.sql.mariadb;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.ResultSet;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Calls of the driver, and what is done instead of some. */
final class DriverCalls {
    private DriverCalls() {}

    /** What a statement answers, read as portable code reads it. */
    static @Nullable Object answer(@Nullable Object answered) {
        return answered instanceof ResultSet rows ? rows(rows) : answered;
    }

    private static ResultSet rows(ResultSet rows) {
        return adapted(ResultSet.class, rows, (method, args) -> {
            if (args.length == 2 && method.getName().equals("getObject")) {
                if (args[1] == UUID.class) {
                    return MariaDbValues.id(
                            args[0] instanceof Integer column
                                    ? rows.getBytes(column)
                                    : rows.getBytes((String) args[0]));
                }
                if (args[1] == OffsetDateTime.class) {
                    return MariaDbValues.time(
                            args[0] instanceof Integer column
                                    ? rows.getObject(column, LocalDateTime.class)
                                    : rows.getObject((String) args[0], LocalDateTime.class));
                }
            }
            return call(rows, method, args);
        });
    }

    /** What is done instead of one call. */
    interface Calls {
        @Nullable
        Object of(Method method, Object[] args) throws Throwable;
    }

    static <T> T adapted(Class<T> type, T real, Calls calls) {
        return proxy(type, (self, method, args) -> calls.of(method, args == null ? new Object[0] : args));
    }

    static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    static @Nullable Object call(Object real, Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(real, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
