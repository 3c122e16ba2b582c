package dev.treadle.testing;

import dev.treadle.storage.RunStorage;
import dev.treadle.storage.RunStorage.NewStep;
import dev.treadle.storage.RunStorage.StepAnswer;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.admin.AdminStorage;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A storage as the process under test reaches it: refuses every call once that process has crashed, and tells of steps. So
 * faults need nothing of a storage.
 */
final class WatchedStorage implements InvocationHandler {
    private static final Set<String> PACKAGES =
            Set.of(StorageProvider.class.getPackageName(), AdminStorage.class.getPackageName());

    private final Object storage;
    private final Faults faults;
    /** Takes what to do after the commit of the transaction that this writes into. */
    private final Consumer<Runnable> afterCommit;

    private WatchedStorage(Object storage, Faults faults, Consumer<Runnable> afterCommit) {
        this.storage = storage;
        this.faults = faults;
        this.afterCommit = afterCommit;
    }

    static AdminStorage of(AdminStorage storage, Faults faults) {
        return watched(AdminStorage.class, storage, new WatchedStorage(storage, faults, Runnable::run));
    }

    private static <T> T watched(Class<T> type, Object storage, WatchedStorage by) {
        return type.cast(Proxy.newProxyInstance(storage.getClass().getClassLoader(), new Class<?>[] {type}, by));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        faults.mustBeAlive();
        boolean recordsStep = storage instanceof RunStorage && method.getName().equals("recordStep");
        if (recordsStep) {
            faults.recordsStep(step(arguments));
        }
        Object answer = call(method, arguments);
        if (recordsStep && answer instanceof StepAnswer.Recorded) {
            String name = step(arguments);
            afterCommit.accept(() -> faults.recordedStep(name));
        }
        Class<?> type = method.getReturnType();
        boolean isPart = type.isInterface() && !type.isSealed() && PACKAGES.contains(type.getPackageName());
        return answer == null || !isPart
                ? answer
                : watched(type, answer, new WatchedStorage(answer, faults, hook(arguments)));
    }

    private @Nullable Object call(Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(storage, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static String step(Object @Nullable [] arguments) {
        if (arguments != null && arguments.length == 2 && arguments[1] instanceof NewStep step) {
            return step.name();
        }
        throw new IllegalStateException("RunStorage.recordStep is not called with a run and a step.");
    }

    /** Of the transaction of {@link StorageProvider#in}; where its commit is not reported, it counts as committed. */
    @SuppressWarnings("unchecked")
    private Consumer<Runnable> hook(Object @Nullable [] arguments) {
        boolean begins = arguments != null && arguments.length == 2 && arguments[0] instanceof Connection;
        if (!begins) {
            return afterCommit;
        }
        Object given = arguments[1];
        return given == null ? Runnable::run : (Consumer<Runnable>) given;
    }
}
