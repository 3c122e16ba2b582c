package dev.treadle.showdown;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.management.AttributeNotFoundException;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class SamplerTest {
    private static final long LATER = Long.MAX_VALUE;
    private final CountDownLatch failed = new CountDownLatch(1);
    private volatile Callable<Object> answer = () -> null;

    @ParameterizedTest
    @ValueSource(classes = {IOException.class, AttributeNotFoundException.class, ClassCastException.class})
    void whatever_ends_the_looking_is_told_with_its_moment(Class<? extends Exception> failure) throws Exception {
        try (Sampler sampler = new Sampler(ProcessHandle.current().pid(), connector())) {
            assertTrue(sampler.look());
            assertEquals("", sampler.troubleBefore(LATER));
            long before = System.currentTimeMillis();

            answer = () -> {
                failed.countDown();
                throw failure.getConstructor(String.class).newInstance("no answer");
            };
            assertTrue(failed.await(30, TimeUnit.SECONDS), "it looks by itself");
            assertFalse(sampler.look(), "it does not begin again");

            assertEquals(failure.getName() + ": no answer", sampler.troubleBefore(LATER));
            assertEquals("", sampler.troubleBefore(before), "until then all was seen");
            assertFalse(sampler.since(0).isEmpty());
        }
    }

    @Test
    void the_death_of_the_thread_that_looks_is_told() throws Exception {
        try (Sampler sampler = new Sampler(ProcessHandle.current().pid(), connector())) {
            answer = () -> {
                failed.countDown();
                throw new ThreadDeathOfTheTest();
            };
            assertTrue(failed.await(30, TimeUnit.SECONDS));
            assertThrows(ThreadDeathOfTheTest.class, sampler::look);
            while (!sampler.troubleBefore(LATER).equals("the thread that looks has died")) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
        }
    }

    @SuppressWarnings("serial")
    private static final class ThreadDeathOfTheTest extends Error {}

    /** Answers as this JVM does, but for what the test wants instead. */
    private JMXConnector connector() {
        MBeanServerConnection server = proxy(MBeanServerConnection.class, (proxy, method, arguments) -> {
            answer.call();
            try {
                return method.invoke(ManagementFactory.getPlatformMBeanServer(), arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
        return proxy(JMXConnector.class, (proxy, method, arguments) -> {
            return method.getName().equals("getMBeanServerConnection") ? server : null;
        });
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
