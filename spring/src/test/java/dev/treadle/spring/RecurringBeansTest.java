package dev.treadle.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.RecurringJobs;
import dev.treadle.api.TreadleSetupException;
import dev.treadle.lifecycle.RecurringJob;
import dev.treadle.lifecycle.RecurringJob.Status;
import dev.treadle.schedule.Missed;
import dev.treadle.schedule.Overlap;
import dev.treadle.schedule.Recurring;
import dev.treadle.schedule.RecurringRules;
import dev.treadle.schedule.Schedule;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.MapPropertySource;

/** Methods that are {@link Recurring} are declared when the server starts. */
class RecurringBeansTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    private final StorageProvider storage = new InMemoryStorageProvider();

    /** Beans with methods that recur. */
    @Lazy
    static class Cleaner {
        final AtomicInteger runs = new AtomicInteger();

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

        @Recurring(id = "sync", delay = "PT5M")
        public String sync() {
            return "synced";
        }
    }

    static class WithParameter {
        @Recurring(id = "a", cron = "@daily")
        public void one(String given) {}
    }

    static class Twice {
        @Recurring(id = "a", cron = "@daily")
        public void one() {}

        @Recurring(id = "a", cron = "@hourly")
        public void two() {}
    }

    static class WithoutSchedule {
        @Recurring(id = "a")
        public void one() {}
    }

    static class BadCron {
        @Recurring(id = "a", cron = "61 * * * *")
        public void one() {}
    }

    static class BadZone {
        @Recurring(id = "a", cron = "@daily", zone = "Berlin")
        public void one() {}
    }

    static class Unresolved {
        @Recurring(id = "a", cron = "${not.there}")
        public void one() {}
    }

    static class Private {
        @Recurring(id = "a", cron = "@daily")
        private void one() {}
    }

    private AnnotationConfigApplicationContext start(Map<String, Object> properties, Class<?>... beans) {
        var context = new AnnotationConfigApplicationContext();
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
        context.registerBean(StorageProvider.class, () -> storage);
        context.register(TreadleConfiguration.class);
        context.register(beans);
        context.refresh();
        return context;
    }

    private static RecurringJob find(AnnotationConfigApplicationContext context, String id) {
        return context.getBean(RecurringJobs.class).find(id).orElseThrow();
    }

    @Test
    void each_method_is_declared_as_its_annotation_says_and_is_called_on_the_bean() {
        try (var context = start(Map.of(), Cleaner.class)) {
            RecurringJob cleanup = find(context, "cleanup");
            assertEquals(
                    Schedule.cron("0 2 * * *", ZoneId.of("Europe/Berlin")).toText(),
                    cleanup.plan().schedule());
            assertEquals(
                    new RecurringRules(Missed.all(3), Duration.ofMinutes(1), Overlap.SKIP, Duration.ofSeconds(30)),
                    cleanup.plan().rules());
            assertEquals("night", cleanup.plan().traits().queue());
            assertEquals(
                    Cleaner.class.getName() + "#cleanUp()",
                    cleanup.plan().invocation().target());
            assertEquals(
                    Schedule.delay(Duration.ofMinutes(5)).toText(),
                    find(context, "sync").plan().schedule());
            Cleaner cleaner = context.getBean(Cleaner.class);
            Awaitility.await().atMost(SOON).until(() -> cleaner.runs.get() >= 2);
        }
    }

    @Test
    void a_dash_switches_it_off_and_a_schedule_on_again() {
        Map<String, Object> off = Map.of("cleanup.cron", "-");
        try (var never = start(off, Cleaner.class)) {
            assertTrue(never.getBean(RecurringJobs.class).find("cleanup").isEmpty());
        }
        start(Map.of(), Cleaner.class).close();

        try (var context = start(off, Cleaner.class)) {
            RecurringJob.Standing standing = find(context, "cleanup").standing();
            assertEquals(Status.PAUSED, standing.status());
            assertEquals("@Recurring", standing.by());
        }
        try (var context = start(Map.of(), Cleaner.class)) {
            assertEquals(Status.ACTIVE, find(context, "cleanup").standing().status());
        }
    }

    @Test
    void a_pause_of_an_operator_stays() {
        try (var context = start(Map.of(), Cleaner.class)) {
            context.getBean(RecurringJobs.class).pause("cleanup", "ann", null);
        }

        start(Map.of("cleanup.cron", "-"), Cleaner.class).close();
        try (var context = start(Map.of(), Cleaner.class)) {
            assertEquals(Status.PAUSED, find(context, "cleanup").standing().status());
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                WithParameter.class,
                Twice.class,
                WithoutSchedule.class,
                BadCron.class,
                BadZone.class,
                Unresolved.class,
                Private.class
            })
    void what_cannot_be_declared_is_refused_at_the_start_with_the_method(Class<?> bean) {
        Throwable thrown =
                assertThrows(RuntimeException.class, () -> start(Map.of(), bean).close());
        while (!(thrown instanceof TreadleSetupException) && thrown.getCause() != null) {
            thrown = thrown.getCause();
        }

        String message = thrown.getMessage();
        assertTrue(thrown instanceof TreadleSetupException, message);
        List<String> said = Map.of(
                        WithParameter.class, List.of("WithParameter.one has parameters"),
                        Twice.class, List.of("'a' is declared twice", "Twice.one()", "Twice.two()"),
                        WithoutSchedule.class, List.of("Exactly one of cron, every and delay"),
                        BadCron.class, List.of("BadCron.one()", "61"),
                        BadZone.class, List.of("BadZone.one()", "Berlin"),
                        Unresolved.class, List.of("Unresolved.one()", "not.there"),
                        Private.class, List.of("Private.one()", "is private"))
                .getOrDefault(bean, List.of("?"));
        said.forEach(part -> assertTrue(message.contains(part), message));
    }
}
