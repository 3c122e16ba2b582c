package dev.treadle.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.schedule.Recurring;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

/** What is plainly wrong stops the start, and is explained as Spring Boot explains things, without a stack trace. */
@ExtendWith(OutputCaptureExtension.class)
class FailuresTest {
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {}

    static class BadCron {
        @Recurring(id = "a", cron = "61 * * * *")
        public void one() {}
    }

    private static void fails(Class<?> more, String... properties) {
        assertThatThrownBy(() -> new SpringApplicationBuilder(App.class, more)
                        .web(WebApplicationType.NONE)
                        .properties(Database.H2.properties())
                        .properties(properties)
                        .run()
                        .close())
                .isNotNull();
    }

    private static void explains(CapturedOutput output, String description, String action) {
        String said = output.toString();
        assertThat(said).contains("APPLICATION FAILED TO START", "Description:", "Action:");
        assertThat(said.substring(said.indexOf("Description:"), said.indexOf("Action:")))
                .contains(description);
        assertThat(said.substring(said.indexOf("Action:"))).contains(action).doesNotContain("\tat ");
    }

    @Test
    void two_handlers_of_one_type(CapturedOutput output) {
        fails(BackOffTest.TwoHandlers.class);

        explains(output, "'one' and 'another'", "remove one of the beans");
    }

    @Test
    void an_unknown_executor(CapturedOutput output) {
        fails(App.class, "treadle.server.executor=fibers");

        explains(output, "No executor is named 'fibers'. Found: pool", "treadle.server.*");
    }

    @Test
    void tables_that_are_not_there(CapturedOutput output) {
        fails(App.class, "treadle.storage.schema=validate");

        explains(output, "Treadle's tables are not there", "treadle.storage.schema=migrate");
    }

    @Test
    void a_patience_that_spring_does_not_have(CapturedOutput output) {
        fails(App.class, "treadle.server.stop-patience=25s");

        explains(output, "PT25S", "spring.lifecycle.timeout-per-shutdown-phase to 31s or more");
    }

    @Test
    void a_setting_out_of_range(CapturedOutput output) {
        fails(App.class, "treadle.server.dead-after=10ms");

        explains(output, "deadAfter is PT0.01S and must be PT1S to PT1H", "treadle.server");
    }

    @Test
    void a_recurring_method_with_a_bad_schedule(CapturedOutput output) {
        fails(BadCron.class);

        explains(output, "BadCron.one() cannot be declared: The cron expression '61", "Correct the annotation");
    }
}
