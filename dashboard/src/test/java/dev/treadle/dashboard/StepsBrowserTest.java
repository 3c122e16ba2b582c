package dev.treadle.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.options.ColorScheme;
import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import java.util.List;
import java.util.Locale;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The steps of a job on its page, and what is asked before it runs again. */
@Timeout(600)
class StepsBrowserTest extends Browsing {
    @Test
    void the_page_of_a_job_lists_its_steps_and_hides_their_secrets() {
        JobId id = failed();
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            for (int width : new int[] {1280, 390}) {
                context.close();
                page = page(width, 900, scheme);
                open("/jobs/" + id);
                page.waitForSelector(".steps li");

                assertEquals(3, page.locator(".steps li").count());
                String shown = page.locator(".steps").textContent();
                assertTrue(shown.contains("R-7") && shown.contains("•••"), shown);
                assertFalse(shown.contains(Office.SECRET), shown);
                page.locator(".steps").scrollIntoViewIfNeeded();
                tidy("/steps-" + scheme.name().toLowerCase(Locale.ROOT) + "-" + width);
            }
        }
    }

    @Test
    void run_again_asks_whether_to_keep_the_steps_of_a_job_that_has_some() {
        JobId id = failed();
        open("/jobs/" + id);
        page.waitForSelector(".steps li");
        page.locator("button:text-is('Run again')").first().click();
        page.waitForSelector("dialog[open] .choice:not([hidden])");
        tidy("/steps-dialog");
        page.locator("dialog .choice select").selectOption("RUN_FROM_START");
        page.locator("dialog button.go").click();

        Awaitility.await().until(() -> office.shipped.get() == 2);
        assertEquals(
                "RUN_FROM_START",
                office.storage.operators().audit(null, 1).get(0).action());
        open("/jobs/" + office.one(StateName.CANCELLED));
        page.locator("button:text-is('Run again')").first().click();
        page.waitForSelector("dialog[open]");
        assertTrue(page.locator("dialog .choice").isHidden(), "a job without steps");
    }

    @Test
    void the_bulk_action_asks_too() {
        failed();
        open("/jobs?state=FAILED");
        page.waitForSelector("table.jobs tbody tr");
        page.locator("button:text-is('Run again all…')").click();
        page.waitForSelector("dialog[open] .choice:not([hidden])");
        page.locator("dialog .choice select").selectOption("RUN_FROM_START");
        page.locator("dialog button.go").click();

        Awaitility.await().until(() -> office.shipped.get() == 2);
        assertEquals(
                "RUN_FROM_START",
                office.storage.operators().audit(null, 1).get(0).action());
    }

    private JobId failed() {
        JobId id = office.treadle.jobs().enqueue(new Office.Ship(7));
        Awaitility.await()
                .until(() -> office.storage.queries().states(List.of(id)).get(id) == StateName.FAILED);
        return id;
    }
}
