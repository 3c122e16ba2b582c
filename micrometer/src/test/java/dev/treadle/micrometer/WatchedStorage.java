package dev.treadle.micrometer;

import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A storage in memory that counts who asks for the states of its queues, and can be away. */
final class WatchedStorage {
    private final InMemoryStorageProvider real = new InMemoryStorageProvider();
    private final AtomicInteger looks = new AtomicInteger();
    private volatile @Nullable RuntimeException failure;
    private volatile CountDownLatch gate = new CountDownLatch(0);

    AdminStorage storage() {
        return (AdminStorage) Proxy.newProxyInstance(
                AdminStorage.class.getClassLoader(),
                new Class<?>[] {AdminStorage.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("queues")) {
                        looks.incrementAndGet();
                        gate.await();
                        RuntimeException thrown = failure;
                        if (thrown != null) {
                            throw thrown;
                        }
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** How often it was asked for its queues. */
    int looks() {
        return looks.get();
    }

    void failsWith(@Nullable RuntimeException thrown) {
        failure = thrown;
    }

    void hangs() {
        gate = new CountDownLatch(1);
    }

    void goesOn() {
        gate.countDown();
    }
}
