package dev.treadle.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobRequestHandler;
import dev.treadle.job.StateName;
import dev.treadle.server.JobServer;
import dev.treadle.server.ServerState;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The server starts as the last part of an application, stops claiming as its first, and waits for its jobs in between. */
class LifecycleTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    record Work(String what) implements JobRequest<Void> {}

    /** Stands for the web server: started before jobs run, stopped while they run, and its last request enqueues. */
    static final class Web implements SmartLifecycle {
        private final Treadle treadle;
        final List<String> seen = new CopyOnWriteArrayList<>();
        final CountDownLatch mayEnd = new CountDownLatch(1);
        final CountDownLatch began = new CountDownLatch(1);
        volatile JobId last;
        private volatile boolean running;

        Web(Treadle treadle) {
            this.treadle = treadle;
        }

        @Override
        public int getPhase() {
            // as WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE
            return DEFAULT_PHASE - 1024;
        }

        @Override
        public void start() {
            running = true;
            seen.add("start, server " + state());
        }

        @Override
        public void stop() {
            running = false;
            last = treadle.jobs().enqueue(new Work("last"));
            seen.add("stop, server " + state() + ", "
                    + treadle.server().orElseThrow().running() + " running");
            mayEnd.countDown();
        }

        private String state() {
            return treadle.server().map(server -> server.state().name()).orElse("not there");
        }

        @Override
        public boolean isRunning() {
            return running;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import({TreadleConfiguration.class, Web.class})
    static class App {
        @Bean
        StorageProvider storage() {
            return new InMemoryStorageProvider();
        }

        @Bean
        JobRequestHandler<Work> worker(Web web) {
            return (work, job) -> {
                web.began.countDown();
                if (work.what().equals("long")) {
                    assertTrue(web.mayEnd.await(SOON.toSeconds(), TimeUnit.SECONDS));
                    web.seen.add("ended, told to stop: " + job.shouldStop());
                }
            };
        }
    }

    @Test
    void it_stops_claiming_first_and_waits_for_jobs_after_the_last_request() throws Exception {
        var context = new AnnotationConfigApplicationContext(App.class);
        Treadle treadle = context.getBean(Treadle.class);
        JobServer server = treadle.server().orElseThrow();
        Web web = context.getBean(Web.class);
        treadle.jobs().enqueue(new Work("long"));
        assertTrue(web.began.await(SOON.toSeconds(), TimeUnit.SECONDS));

        context.stop();

        assertEquals(
                List.of("start, server not there", "stop, server STOPPING, 1 running", "ended, told to stop: true"),
                web.seen);
        assertEquals(ServerState.STOPPED, server.state());
        assertEquals(StateName.ENQUEUED, state(treadle.jobs(), web.last), "enqueued and not lost, and not begun");

        context.start();

        JobServer next = treadle.server().orElseThrow();
        assertEquals(ServerState.RUNNING, next.state());
        assertFalse(next.self().id().equals(server.self().id()), "another node");
        Awaitility.await().atMost(SOON).until(() -> state(treadle.jobs(), web.last) == StateName.SUCCEEDED);

        context.close();

        assertEquals(ServerState.STOPPED, next.state());
    }

    @Test
    void waiting_for_jobs_keeps_no_thread_of_spring_so_that_spring_bounds_it() throws Exception {
        var context = new AnnotationConfigApplicationContext(App.class);
        Web web = context.getBean(Web.class);
        Treadle treadle = context.getBean(Treadle.class);
        JobServer server = treadle.server().orElseThrow();
        treadle.jobs().enqueue(new Work("long"));
        assertTrue(web.began.await(SOON.toSeconds(), TimeUnit.SECONDS));
        CountDownLatch answered = new CountDownLatch(1);

        context.getBean("treadleRunningJobs", SmartLifecycle.class).stop(answered::countDown);

        assertEquals(1, answered.getCount(), "the call has returned, and the job runs");
        assertEquals(1, server.running());
        web.mayEnd.countDown();
        assertTrue(answered.await(SOON.toSeconds(), TimeUnit.SECONDS));
        assertEquals(ServerState.STOPPED, server.state());
        context.close();
    }

    private static StateName state(JobScheduler jobs, JobId id) {
        return jobs.states(Set.of(id)).get(id);
    }
}
