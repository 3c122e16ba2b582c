package dev.treadle.cdi;

import static dev.treadle.cdi.Application.SOON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.RecurringJobs;
import dev.treadle.cdi.Application.Memory;
import dev.treadle.lifecycle.RecurringJob;
import dev.treadle.schedule.Missed;
import dev.treadle.schedule.Overlap;
import dev.treadle.schedule.Recurring;
import dev.treadle.schedule.RecurringRules;
import dev.treadle.schedule.Schedule;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Methods that are {@link Recurring} are declared when the server starts. */
class RecurringBeansTest {
    /** A bean inherits its methods. */
    static class Ticking {
        @Recurring(id = "inherited", every = "PT1H30M")
        public void inherited() {}
    }

    /** Beans with methods that recur. */
    @ApplicationScoped
    static class Cleaner extends Ticking {
        private final AtomicInteger runs = new AtomicInteger();

        @Recurring(
                id = "cleanup",
                cron = "${cleanup.cron:0 2 * * *}",
                zone = "${cleanup.zone:Europe/Berlin}",
                missed = "all 3",
                overlap = Overlap.SKIP,
                jitter = "30s",
                queue = "night")
        public void cleanUp() {}

        @Recurring(id = "tick", every = "100ms")
        void tick() {
            runs.incrementAndGet();
        }

        int runs() {
            return runs.get();
        }
    }

    /** Made by a producer. */
    static class Syncer {
        @Recurring(id = "sync", delay = "5m")
        public String sync() {
            return "synced";
        }
    }

    @Singleton
    static class Producer {
        @Produces
        @Singleton
        Syncer syncer() {
            return new Syncer();
        }
    }

    @Singleton
    static class WithParameter {
        @Recurring(id = "a", cron = "@daily")
        public void one(String given) {}
    }

    @Singleton
    static class Twice {
        @Recurring(id = "a", cron = "@daily")
        public void one() {}

        @Recurring(id = "a", cron = "@hourly")
        public void two() {}
    }

    @Singleton
    static class BadDelay {
        @Recurring(id = "a", delay = "10")
        public void one() {}
    }

    @Singleton
    static class Unresolved {
        @Recurring(id = "a", cron = "${not.there}")
        public void one() {}
    }

    private static RecurringJob find(SeContainer container, String id) {
        return container.select(RecurringJobs.class).get().find(id).orElseThrow();
    }

    @Test
    void each_method_is_declared_as_its_annotation_says_and_is_called_on_the_bean() {
        try (SeContainer container = Application.start(Memory.class, Cleaner.class, Producer.class)) {
            RecurringJob cleanup = find(container, "cleanup");
            assertEquals(
                    Schedule.cron("0 2 * * *", ZoneId.of("Europe/Berlin")).toText(),
                    cleanup.plan().schedule());
            assertEquals(
                    new RecurringRules(Missed.all(3), Duration.ofMinutes(1), Overlap.SKIP, Duration.ofSeconds(30)),
                    cleanup.plan().rules());
            assertEquals("night", cleanup.plan().traits().queue());
            assertEquals(
                    Schedule.delay(Duration.ofMinutes(5)).toText(),
                    find(container, "sync").plan().schedule());
            assertEquals(
                    Schedule.every(Duration.ofMinutes(90)).toText(),
                    find(container, "inherited").plan().schedule());
            Cleaner cleaner = container.select(Cleaner.class).get();
            Awaitility.await().atMost(SOON).until(() -> cleaner.runs() >= 2);
        }
    }

    @Test
    void a_property_says_when_and_a_dash_switches_it_off() {
        try (SeContainer container =
                Application.start(Map.of("cleanup.cron", "-"), Memory.class, Cleaner.class, Producer.class)) {
            assertTrue(
                    container.select(RecurringJobs.class).get().find("cleanup").isEmpty());
            assertTrue(container.select(RecurringJobs.class).get().find("sync").isPresent());
        }
    }

    @Test
    void what_cannot_be_declared_is_refused_with_the_method() {
        assertRefused(WithParameter.class, "WithParameter.one has parameters");
        assertRefused(Twice.class, "The recurring job 'a' is declared twice: by");
        assertRefused(BadDelay.class, "BadDelay.one() cannot be declared: '10' is no duration.");
        assertRefused(
                Unresolved.class, "Unresolved.one() cannot be declared: The property of the placeholder ${not.there}");
    }

    private static void assertRefused(Class<?> bean, String expected) {
        String said = Application.refused(Memory.class, bean);
        assertTrue(said.contains(expected), said);
    }
}
