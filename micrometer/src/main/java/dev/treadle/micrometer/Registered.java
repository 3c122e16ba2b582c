package dev.treadle.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/** A registry, and what has been registered there. Thread-safe. */
final class Registered {
    private final MeterRegistry registry;
    private final Tags tags;
    private final Set<String> known = ConcurrentHashMap.newKeySet();
    private final Queue<Supplier<Number>> counted = new ConcurrentLinkedQueue<>();

    /** @param tags of the application, on every meter */
    Registered(MeterRegistry registry, Tags tags) {
        this.registry = registry;
        this.tags = tags;
    }

    /** Whether this is asked for the first time. */
    boolean isNew(String what) {
        return known.add(what);
    }

    void gauge(TreadleMeter meter, Supplier<Number> value) {
        gauge(meter, value, Tags.empty());
    }

    /** The registry keeps the value and all it needs, because the application may not keep the binder. */
    void gauge(TreadleMeter meter, Supplier<Number> value, Tags of) {
        Gauge.builder(meter.id(), value)
                .description(meter.description())
                .baseUnit(meter.unit())
                .tags(tags.and(of))
                .register(registry);
    }

    void counter(TreadleMeter meter, Supplier<Number> value) {
        counter(meter, value, Tags.empty());
    }

    void counter(TreadleMeter meter, Supplier<Number> value, Tags of) {
        // a registry holds what it counts by weakly
        counted.add(value);
        FunctionCounter.builder(meter.id(), value, from -> from.get().doubleValue())
                .description(meter.description())
                .baseUnit(meter.unit())
                .tags(tags.and(of))
                .register(registry);
    }
}
