package dev.treadle.storage;

import dev.treadle.storage.admin.AdminStorage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A storage that stands in front of another one, so that a test can look at single calls or do something else instead. */
public final class ScriptedStorage {
    private ScriptedStorage() {}

    /** A storage whose calls all go through the script. */
    public static StorageProvider over(StorageProvider real, Script script) {
        return over(StorageProvider.class, real, script);
    }

    /** The same for one that answers dashboards too. */
    public static AdminStorage overAdmin(AdminStorage real, Script script) {
        return over(AdminStorage.class, real, script);
    }

    private static <S extends StorageProvider> S over(Class<S> type, S real, Script script) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> script.answer(method.getName(), arguments, () -> {
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                })));
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
