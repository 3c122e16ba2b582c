package dev.treadle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.treadle.api.JobOptions;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.StateName;
import dev.treadle.server.QueueSettings;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.management.Attribute;
import javax.management.AttributeNotFoundException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What a server shows through JMX. */
class MBeansTest {
    private final MBeanServer platform = ManagementFactory.getPlatformMBeanServer();
    private final InMemoryStorageProvider storage = new InMemoryStorageProvider();
    private final String name = "test-" + UUID.randomUUID();
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final Treadle treadle = start(storage);

    record Go(String how) implements JobRequest<Void> {}

    private Treadle start(InMemoryStorageProvider on) {
        return start(on, name);
    }

    private Treadle start(InMemoryStorageProvider on, String name) {
        return Treadle.on(on)
                .settings(Work.QUICK
                        .withName(name)
                        .withWorkers(3)
                        .withResource("pdf", 2)
                        .withQueues(QueueSettings.of("slips").withConcurrency(2))
                        .withRetries(RetryPolicy.NEVER))
                .handler(Go.class, (go, job) -> {
                    switch (go.how()) {
                        case "wait" -> mayEnd.await();
                        case "fail" -> throw new IllegalStateException("asked to");
                        default -> {}
                    }
                })
                .start();
    }

    @AfterEach
    void close() {
        mayEnd.countDown();
        treadle.close();
    }

    private Object read(String keys, String attribute) {
        try {
            return platform.getAttribute(new ObjectName("dev.treadle:" + keys), attribute);
        } catch (JMException e) {
            throw new AssertionError(keys + " " + attribute, e);
        }
    }

    private Set<String> names() {
        try {
            return platform.queryNames(new ObjectName("dev.treadle:*"), null).stream()
                    .map(ObjectName::getCanonicalName)
                    .filter(one -> one.contains(name))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (JMException e) {
            throw new AssertionError(e);
        }
    }

    private String server() {
        return "type=Server,name=" + name;
    }

    private String queue(String queue) {
        return "type=Queue,server=" + name + ",name=" + queue;
    }

    private String executor() {
        return "type=Executor,server=" + name + ",name=pool";
    }

    private void untilShown(String keys) {
        Await.until(keys + " is shown", () -> names().contains(canonical(keys)));
    }

    private static String canonical(String keys) {
        try {
            return new ObjectName("dev.treadle:" + keys).getCanonicalName();
        } catch (JMException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_server_its_executor_and_its_queues_can_be_read_while_jobs_run_and_after() {
        untilShown(queue("slips"));
        assertEquals(3L, read(server(), "Permits"));
        assertEquals("pool", read(server(), "Executors"));
        assertEquals(2L, read(queue("slips"), "Limit"));
        assertEquals(false, read(queue("slips"), "Paused"));

        for (int i = 0; i < 5; i++) {
            treadle.jobs().with(JobOptions.DEFAULT.withQueue("slips")).enqueue(new Go("wait"));
        }
        Await.until("two of them run", () -> read(executor(), "Running").equals(2L));
        assertEquals(2L, read(executor(), "PermitsTaken"));
        assertEquals(2L, read(server(), "Running"));
        assertTrue((long) read(queue("slips"), "InFlight") >= 2);
        mayEnd.countDown();
        Await.until("all have ended", () -> read(queue("slips"), "Completed").equals(5L));
        JobId failing = treadle.jobs().enqueue(new Go("fail"));
        Work.untilIn(StateName.FAILED, storage, failing);

        untilShown(queue("default"));
        Await.until(
                "the failure is counted", () -> read(queue("default"), "Failed").equals(1L));
        assertEquals(6L, read(server(), "Claimed"));
        assertEquals(5L, read(server(), "Completed"));
        assertEquals(1L, read(server(), "Failed"));
        assertEquals(0L, read(executor(), "Forks"));
        Await.until("nothing is in flight", () -> read(server(), "InFlight").equals(0L));
    }

    @Test
    void what_waits_is_asked_of_the_storage() {
        untilShown(queue("slips"));
        treadle.queues().pause("slips", "anna", "stock taking");
        Await.until("the pause is seen", () -> read(queue("slips"), "Paused").equals(true));
        treadle.jobs().with(JobOptions.DEFAULT.withQueue("slips")).enqueue(new Go("well"));
        treadle.jobs().with(JobOptions.DEFAULT.withQueue("slips")).enqueue(new Go("well"));

        assertEquals(1L, read(server(), "PausedQueues"));
        assertEquals(2L, read(queue("slips"), "Due"));
        assertEquals(2L, read(server(), "Due"));
        assertTrue((long) read(server(), "OldestWaitingMillis") >= 0);
    }

    @Test
    void a_queue_that_was_paused_before_the_server_started_counts_though_it_has_had_no_job_of_it() {
        InMemoryStorageProvider kept = new InMemoryStorageProvider();
        try (Treadle before = start(kept, name + "-before")) {
            before.jobs().with(JobOptions.DEFAULT.withQueue("slips")).enqueue(new Go("well"));
            before.queues().pause("slips", "anna", "stock taking");
        }
        try (Treadle after = start(kept, name + "-after")) {
            String bean =
                    "type=Server,name=" + after.server().orElseThrow().self().name();
            untilShown(bean);
            Await.until("it knows", () -> read(bean, "PausedQueues").equals(1L));
            assertEquals("RUNNING", read(bean, "State"));
        }
    }

    @Test
    void two_servers_of_one_name_do_not_collide_and_all_is_gone_when_they_are() {
        untilShown(queue("slips"));
        try (Treadle other = start(new InMemoryStorageProvider())) {
            untilShown("type=Queue,server=" + name + "-2,name=slips");
            assertEquals(
                    other.server().orElseThrow().self().id().toString(), read("type=Server,name=" + name + "-2", "Id"));
            assertEquals(treadle.server().orElseThrow().self().id().toString(), read(server(), "Id"));
        }
        assertTrue(names().stream().noneMatch(one -> one.contains(name + "-2")), () -> names().toString());
        assertTrue(names().contains(canonical(server())), () -> names().toString());

        treadle.close();

        assertEquals(Set.of(), names());
    }

    @Test
    void nothing_can_be_changed_from_there_and_each_attribute_says_what_it_means() throws JMException {
        untilShown(server());
        ObjectName bean = new ObjectName("dev.treadle:" + server());

        assertThrows(
                AttributeNotFoundException.class, () -> platform.setAttribute(bean, new Attribute("Permits", 1_000L)));
        assertThrows(AttributeNotFoundException.class, () -> platform.getAttribute(bean, "Password"));
        assertThrows(JMException.class, () -> platform.invoke(bean, "pause", null, null));
        MBeanAttributeInfo[] attributes = platform.getMBeanInfo(bean).getAttributes();
        assertTrue(attributes.length >= 10);
        assertTrue(Arrays.stream(attributes)
                .noneMatch(one -> one.isWritable() || one.getDescription().isBlank()));
        String[] all =
                Arrays.stream(attributes).map(MBeanAttributeInfo::getName).toArray(String[]::new);
        assertEquals(all.length, platform.getAttributes(bean, all).size());
    }

    @Test
    void the_page_about_watching_lists_what_can_be_read_and_nothing_else() throws Exception {
        untilShown(queue("slips"));
        Map<String, Set<String>> shown = new TreeMap<>();
        for (ObjectName one : platform.queryNames(new ObjectName("dev.treadle:*"), null)) {
            if (one.getCanonicalName().contains(name)) {
                Arrays.stream(platform.getMBeanInfo(one).getAttributes())
                        .map(MBeanAttributeInfo::getName)
                        .forEach(shown.computeIfAbsent(one.getKeyProperty("type"), type -> new TreeSet<>())::add);
            }
        }
        Map<String, Set<String>> told = new TreeMap<>();
        Pattern row = Pattern.compile("\\| `dev\\.treadle:type=(\\w+),[^`]*` \\| (.*) \\|");
        for (String line : Files.readAllLines(Path.of("../docs/watching.md"))) {
            Matcher matcher = row.matcher(line);
            if (matcher.matches()) {
                told.put(
                        matcher.group(1),
                        new TreeSet<>(List.of(matcher.group(2).replace("`", "").split(", "))));
            }
        }

        assertEquals(Set.of("Executor", "Queue", "Resource", "Server"), shown.keySet());
        assertEquals(shown, told);
    }

    @Test
    void a_server_that_cannot_be_shown_runs_its_jobs() throws JMException {
        String taken = "taken-" + UUID.randomUUID();
        List<ObjectName> names = new ArrayList<>();
        for (int i = 1; i <= 100; i++) {
            ObjectName one = new ObjectName("dev.treadle:type=Server,name=" + taken + (i == 1 ? "" : "-" + i));
            platform.registerMBean(new StandardMBean((Runnable) () -> {}, Runnable.class), one);
            names.add(one);
        }
        InMemoryStorageProvider own = new InMemoryStorageProvider();
        Logger logger = (Logger) LoggerFactory.getLogger("dev.treadle.engine.ServerBeans");
        ListAppender<ILoggingEvent> said = new ListAppender<>();
        said.start();
        logger.setLevel(Level.WARN);
        logger.addAppender(said);
        try (Treadle unseen = start(own, taken)) {
            List<JobId> ids = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                ids.add(unseen.jobs().enqueue(new Go("well")));
            }
            Work.untilSucceeded(own, ids);
            Await.until("it is logged", () -> !said.list.isEmpty());
            assertTrue(said.list.get(0).getFormattedMessage().contains("but runs jobs"));
        } finally {
            logger.detachAppender(said);
            logger.setLevel(null);
            for (ObjectName one : names) {
                platform.unregisterMBean(one);
            }
        }
    }

    @Test
    void a_name_that_means_something_to_jmx_is_quoted() {
        String odd = "a,b=c:*\"?\n" + name;
        try (Treadle shown = start(new InMemoryStorageProvider(), odd)) {
            assertTrue(shown.server().isPresent());
            untilShown("type=Server,name=" + ObjectName.quote(odd));
        }
    }
}
