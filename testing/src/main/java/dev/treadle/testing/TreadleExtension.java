package dev.treadle.testing;

import dev.treadle.Treadle;
import dev.treadle.storage.admin.AdminStorage;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test of a JUnit Jupiter class a {@link TreadleTest} of its own, as a parameter, and closes it afterwards:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final TreadleExtension TREADLE = TreadleExtension.with(treadle -> treadle.handler(Welcome.class, handler));
 *
 * @Test
 * void a_new_user_is_welcomed(TreadleTest test) { … }
 * }</pre>
 */
public final class TreadleExtension implements ParameterResolver {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(TreadleExtension.class);

    private final Supplier<TreadleTest> tests;

    private TreadleExtension(Supplier<TreadleTest> tests) {
        this.tests = tests;
    }

    /** As {@link TreadleTest#with}, for each test. */
    public static TreadleExtension with(Consumer<Treadle.Builder> configure) {
        return startingAt(TreadleTest.START, configure);
    }

    /** As {@link TreadleTest#startingAt}, for each test. */
    public static TreadleExtension startingAt(Instant start, Consumer<Treadle.Builder> configure) {
        return new TreadleExtension(() -> TreadleTest.startingAt(start, configure));
    }

    /** As {@link TreadleTest#on(Function, Consumer)}, for each test: the function makes a storage without jobs each time. */
    public static TreadleExtension on(
            Function<InstantSource, AdminStorage> storage, Consumer<Treadle.Builder> configure) {
        return new TreadleExtension(() -> TreadleTest.on(storage, configure));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == TreadleTest.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        // JUnit closes what is in its store when the test has ended
        return context.getStore(NAMESPACE).computeIfAbsent(TreadleTest.class, key -> tests.get(), TreadleTest.class);
    }
}
