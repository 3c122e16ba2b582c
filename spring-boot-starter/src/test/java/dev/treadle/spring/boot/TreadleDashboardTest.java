package dev.treadle.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.TreadleSetupException;
import dev.treadle.dashboard.guard.Role;
import dev.treadle.dashboard.guard.User;
import dev.treadle.dashboard.servlet.ServletAuthenticator;
import dev.treadle.job.JobId;
import dev.treadle.spring.boot.WebApplications.Usual;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/** The dashboard behind Spring Security, in a real Tomcat, over HTTP. */
@Timeout(300)
class TreadleDashboardTest {
    /** Takes requests to the API of the application, and no others. */
    @Configuration(proxyBeanMethods = false)
    static class ElsewhereSecured extends Usual {
        @Bean
        SecurityFilterChain api(HttpSecurity http) throws Exception {
            return http.securityMatcher("/api/**")
                    .authorizeHttpRequests(all -> all.anyRequest().authenticated())
                    .build();
        }
    }

    /** Says by itself who asks. */
    @Configuration(proxyBeanMethods = false)
    static class OwnUsers extends ElsewhereSecured {
        @Bean
        ServletAuthenticator ownUsers() {
            return request -> Optional.ofNullable(request.getHeader("X-User")).map(name -> new User(name, Role.VIEWER));
        }
    }

    /** Counts how often the container asks for a page about an error. */
    @Configuration(proxyBeanMethods = false)
    static class Counted extends OwnUsers {
        @Bean
        AtomicInteger errorPages() {
            return new AtomicInteger();
        }

        @Bean
        FilterRegistrationBean<Filter> counting(AtomicInteger errorPages) {
            FilterRegistrationBean<Filter> counting = new FilterRegistrationBean<>((request, response, chain) -> {
                errorPages.incrementAndGet();
                chain.doFilter(request, response);
            });
            counting.setDispatcherTypes(DispatcherType.ERROR);
            return counting;
        }
    }

    @Test
    void it_is_off_unless_it_is_enabled() throws Exception {
        try (ConfigurableApplicationContext application = WebApplications.start(Usual.class)) {
            assertEquals(
                    404,
                    new Visitor(application).signIn("", "ada").get("/treadle/").statusCode());
        }
    }

    @Test
    void behind_the_usual_filter_chain_viewers_look_operators_act_and_strangers_do_neither() throws Exception {
        try (ConfigurableApplicationContext application = WebApplications.start(
                Usual.class,
                "--treadle.dashboard.enabled=true",
                "--treadle.dashboard.path=/admin/jobs",
                "--server.servlet.context-path=/shop",
                "--spring.application.name=Shop")) {
            JobId failed = WebApplications.failedJob(application);
            String page = "/shop/admin/jobs";
            String runAgain = page + "/api/v1/jobs/" + failed + "/run-again";

            Visitor stranger = new Visitor(application);
            assertEquals(401, stranger.get(page + "/api/v1/me").statusCode());
            assertEquals(401, stranger.post(runAgain, "{}").statusCode());
            HttpResponse<String> sent = stranger.with("Accept", "text/html").get(page + "/");
            assertEquals(302, sent.statusCode());
            assertTrue(sent.headers().firstValue("Location").orElse("").endsWith("/shop/login"), sent.toString());

            Visitor viewer = new Visitor(application).signIn("/shop", "vic");
            String document = viewer.get(page + "/").body();
            assertTrue(document.contains("content=\"/shop/admin/jobs\""), document);
            String me = viewer.me(page);
            assertTrue(me.contains("\"name\":\"vic\",\"role\":\"VIEWER\""), me);
            assertTrue(me.contains("\"title\":\"Shop\""), me);
            HttpResponse<String> refused = viewer.post(runAgain, "{}");
            assertEquals(403, refused.statusCode());
            assertTrue(refused.body().contains("Your role is VIEWER"), refused.body());

            Visitor operator = new Visitor(application).signIn("/shop", "ada");
            HttpResponse<String> forged = operator.post(runAgain, "{}");
            assertEquals(403, forged.statusCode(), "Spring Security's own protection was switched off");
            assertFalse(forged.body().contains("\"code\""), "our page takes it for our own refusal: " + forged.body());
            operator.me(page);
            HttpResponse<String> done = operator.post(runAgain, "{\"why\":\"mended\"}");
            assertEquals(200, done.statusCode(), done.body());
            String audit = operator.get(page + "/api/v1/audit").body();
            assertTrue(audit.contains("\"by\":\"ada\""), audit);

            HttpResponse<String> unknown =
                    new Visitor(application).signIn("/shop", "eve").get(page + "/api/v1/jobs");
            assertEquals(403, unknown.statusCode());
            assertTrue(unknown.body().contains("signed in as eve, who has no role"), unknown.body());
        }
    }

    @Test
    void authorities_of_other_names_give_roles_and_the_server_that_started_later_is_known() throws Exception {
        try (ConfigurableApplicationContext application = WebApplications.start(
                Usual.class,
                "--treadle.dashboard.enabled=true",
                "--treadle.dashboard.title=Jobs",
                "--treadle.dashboard.environment=STAGING",
                "--treadle.dashboard.authorities.admin=ROLE_STAFF,SCOPE_jobs")) {
            Visitor eve = new Visitor(application).signIn("", "eve");
            String me = eve.me("/treadle");
            assertTrue(me.contains("\"role\":\"ADMIN\""), me);
            assertTrue(me.contains("\"title\":\"Jobs\"") && me.contains("\"environment\":\"STAGING\""), me);
            assertTrue(me.contains("\"self\":\""), "the server of this process is not known: " + me);
        }
    }

    @Test
    void it_does_not_start_where_no_filter_chain_covers_it() {
        Throwable refused = assertThrows(
                Exception.class,
                () -> WebApplications.start(ElsewhereSecured.class, "--treadle.dashboard.enabled=true")
                        .close());
        while (!(refused instanceof TreadleSetupException) && refused.getCause() != null) {
            refused = refused.getCause();
        }
        String said = String.valueOf(refused.getMessage());
        assertTrue(said.contains("no SecurityFilterChain of this application covers that path"), said);
        assertTrue(said.contains("treadle.dashboard.open=true"), said);
    }

    @Test
    void where_it_is_open_everybody_may_do_what_was_said_under_known_host_names() throws Exception {
        try (ConfigurableApplicationContext application = WebApplications.start(
                ElsewhereSecured.class,
                "--treadle.dashboard.enabled=true",
                "--treadle.dashboard.open=true",
                "--treadle.dashboard.allowed-hosts=intern.example.com")) {
            String me = new Visitor(application).me("/treadle");
            assertTrue(me.contains("\"name\":\"anybody\",\"role\":\"VIEWER\""), me);
        }
    }

    @Test
    void an_application_can_say_itself_who_asks() throws Exception {
        try (ConfigurableApplicationContext application =
                WebApplications.start(OwnUsers.class, "--treadle.dashboard.enabled=true")) {
            assertEquals(401, new Visitor(application).get("/treadle/api/v1/me").statusCode());
            assertTrue(new Visitor(application)
                    .with("X-User", "kim")
                    .me("/treadle")
                    .contains("\"kim\",\"role\":\"VIEWER\""));
        }
    }

    @Test
    void a_viewer_who_goes_away_is_no_error_of_the_application() throws Exception {
        try (ConfigurableApplicationContext application =
                WebApplications.start(Counted.class, "--treadle.dashboard.enabled=true")) {
            var stream = new Visitor(application).with("X-User", "kim").stream("/treadle/api/v1/events");
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> liveStreams() == 1);
            stream.close();
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> liveStreams() == 0);

            AtomicInteger errorPages = application.getBean(AtomicInteger.class);
            Awaitility.await()
                    .during(Duration.ofSeconds(2))
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> errorPages.get() == 0);
        }
    }

    private static long liveStreams() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("treadle-dashboard-live-"))
                .count();
    }

    @Test
    void a_graceful_shutdown_does_not_wait_for_viewers() throws Exception {
        ConfigurableApplicationContext application = WebApplications.start(
                OwnUsers.class,
                "--treadle.dashboard.enabled=true",
                "--server.shutdown=graceful",
                "--spring.lifecycle.timeout-per-shutdown-phase=60s");
        Visitor viewer = new Visitor(application).with("X-User", "kim");
        var stream = viewer.stream("/treadle/api/v1/events");
        long begin = System.nanoTime();
        application.close();
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        stream.close();
        assertTrue(took.compareTo(Duration.ofSeconds(40)) < 0, "it took " + took);
    }
}
