package dev.treadle.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.spring.boot.WebApplications.Usual;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/** The dashboard in an application with the settings for single pages, which Spring Security has from version 7 on. */
@Timeout(300)
class SinglePageTest {
    /** As single-page applications do it: the token is in a cookie, and comes back as it stands there. */
    @Configuration(proxyBeanMethods = false)
    static class SinglePage extends Usual {
        @Bean
        SecurityFilterChain all(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(all -> all.anyRequest().authenticated())
                    .formLogin(Customizer.withDefaults())
                    .csrf(csrf -> csrf.spa())
                    .build();
        }
    }

    @Test
    void the_page_of_a_single_page_application_sends_the_token_of_the_cookie() throws Exception {
        try (ConfigurableApplicationContext application =
                WebApplications.start(SinglePage.class, "--treadle.dashboard.enabled=true")) {
            String runAgain = "/treadle/api/v1/jobs/" + WebApplications.failedJob(application) + "/run-again";
            Visitor operator = new Visitor(application).signIn("", "ada");
            operator.me("/treadle");
            assertEquals(403, operator.post(runAgain, "{}").statusCode(), "then the page need not know the cookie");
            operator.with("X-XSRF-TOKEN", operator.cookie("XSRF-TOKEN"));
            HttpResponse<String> done = operator.post(runAgain, "{}");
            assertEquals(200, done.statusCode(), done.body());
        }
    }
}
