package dev.treadle.storage;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A storage that stands in front of another one, so that a test can look at single calls or do something else instead. */
public final class ScriptedStorage {
    private ScriptedStorage() {}

    /** A storage whose calls all go through the script. */
    public static StorageProvider over(StorageProvider real, Script script) {
        return (StorageProvider) Proxy.newProxyInstance(
                StorageProvider.class.getClassLoader(),
                new Class<?>[] {StorageProvider.class},
                (proxy, method, arguments) -> script.answer(method.getName(), arguments, () -> {
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    /** What happens instead of each call. */
    @FunctionalInterface
    public interface Script {
        /**
         * @param call the method's name
         * @param real makes the real call
         */
        Object answer(String call, Object[] arguments, RealCall real) throws Throwable;
    }

    /** The call that was meant. */
    @FunctionalInterface
    public interface RealCall {
        /** Makes it. */
        Object make() throws Throwable;
    }
}
