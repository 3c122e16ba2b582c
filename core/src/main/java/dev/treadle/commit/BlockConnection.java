package dev.treadle.commit;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a {@link TransactionBlock} as the code in the block sees it: that code cannot end the transaction,
 * because a part of it would then be committed without the rest.
 */
final class BlockConnection implements InvocationHandler {
    private final Connection real;

    private BlockConnection(Connection real) {
        this.real = real;
    }

    static Connection of(Connection real) {
        return (Connection) Proxy.newProxyInstance(
                BlockConnection.class.getClassLoader(), new Class<?>[] {Connection.class}, new BlockConnection(real));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args) throws Throwable {
        switch (method.getName()) {
            case "equals":
                return args != null && proxy == args[0];
            case "hashCode":
                return System.identityHashCode(this);
            case "toString":
                return "connection of a transaction block: " + real;
            case "close":
                // as frameworks do when they are done: the block closes it
                return null;
            case "commit", "abort":
                throw refused(method.getName());
            case "rollback":
                if (args == null) {
                    throw refused("rollback");
                }
                break;
            case "setAutoCommit":
                if (args != null && Boolean.TRUE.equals(args[0])) {
                    throw refused("setAutoCommit(true)");
                }
                return null;
            default:
                break;
        }
        try {
            return method.invoke(real, args);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private static SQLException refused(String call) {
        return new SQLException(
                "A block that runs in one transaction may not call " + call + ": the transaction is"
                        + " committed when the block returns, and rolled back when it throws. To undo a part, use a savepoint.");
    }
}
