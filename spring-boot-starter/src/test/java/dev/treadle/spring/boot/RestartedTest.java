package dev.treadle.spring.boot;

import dev.treadle.api.JobScheduler;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobRequestHandler;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The application of {@link RestartTest}; says which class loader the classes of its jobs came from. Not a test itself. */
public class RestartedTest implements Callable<String> {
    private final String url;

    /** For one run on a database. */
    public RestartedTest(String url) {
        this.url = url;
    }

    record Hello(String who) implements JobRequest<Void> {}

    /** Handles requests, and is called by a lambda. */
    public static class Greeter implements JobRequestHandler<Hello> {
        final CompletableFuture<ClassLoader> handled = new CompletableFuture<>();
        final CompletableFuture<ClassLoader> called = new CompletableFuture<>();

        @Override
        public void run(Hello hello, JobContext job) {
            handled.complete(hello.getClass().getClassLoader());
        }

        public void call(String who) {
            called.complete(Thread.currentThread().getContextClassLoader());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Greeter.class)
    static class App {}

    @Override
    public String call() throws Exception {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(App.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.datasource.url=" + url,
                        "spring.datasource.username=sa",
                        "spring.flyway.enabled=false",
                        "spring.liquibase.enabled=false",
                        "spring.main.banner-mode=off")
                .run()) {
            JobScheduler jobs = context.getBean(JobScheduler.class);
            Greeter greeter = context.getBean(Greeter.class);
            jobs.enqueue(new Hello("ann"));
            jobs.enqueue(() -> greeter.call("ann"));
            ClassLoader handled = greeter.handled.get(30, TimeUnit.SECONDS);
            ClassLoader called = greeter.called.get(30, TimeUnit.SECONDS);
            return handled == called ? "handler and bean of " + handled : handled + " and " + called;
        }
    }
}
