package dev.treadle.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an operator's hand does in the page, and what the page tells of what came of it. */
@Timeout(600)
class BulkBrowserTest extends Browsing {
    @Test
    void enter_in_the_reason_acts() {
        JobId id = office.one(StateName.SCHEDULED);
        open("/jobs/" + id);
        page.locator("button:text-is('Cancel')").click();
        page.waitForSelector("dialog[open]");
        assertEquals("Cancel the job", page.locator("dialog button.go").textContent());
        tidy("/dialog-cancel");
        page.keyboard().type("not needed any more");
        page.keyboard().press("Enter");
        Awaitility.await()
                .until(() -> !office.storage.operators().audit(null, 1).isEmpty());
        assertEquals(
                "not needed any more",
                office.storage.operators().audit(null, 1).get(0).why());
        until("document.querySelector('main').textContent.includes('Cancelled')");
    }

    @Test
    void escape_and_never_mind_do_nothing() {
        open("/jobs/" + office.one(StateName.SCHEDULED));
        for (boolean key : List.of(true, false)) {
            page.locator("button:text-is('Cancel')").click();
            page.waitForSelector("dialog[open]");
            page.keyboard().type("a reason");
            if (key) {
                page.keyboard().press("Escape");
            } else {
                page.locator("dialog button:text-is('Never mind')").click();
            }
            until("!document.querySelector('dialog[open]')");
        }
        assertTrue(office.storage.operators().audit(null, 1).isEmpty());
    }

    @Test
    void a_word_that_names_a_state_chooses_its_tab_and_all_is_about_that() {
        open("/jobs?state=FAILED");
        page.locator("#q").fill("Greet state:succeeded");
        page.keyboard().press("Enter");
        until("document.querySelectorAll('table.jobs tbody tr').length === 3");
        assertEquals(
                "Succeeded", page.locator(".tabs a[aria-selected=true] span").textContent());
        assertEquals("Greet", page.locator("#q").inputValue());
        page.locator("button:text-is('Delete all…')").click();
        page.waitForSelector("dialog[open]");
        assertEquals("Delete: 3 jobs", page.locator("dialog h2").textContent());
        assertTrue(page.locator("dialog .text").textContent().contains("succeeded and matches Greet"));
        assertEquals("Delete 3 jobs", page.locator("dialog button.go").textContent());
        page.locator("dialog button.go").click();
        Awaitility.await().until(() -> office.count(StateName.SUCCEEDED) == 0);
        assertEquals(4, office.count(StateName.FAILED));
    }

    @Test
    void what_could_not_all_be_counted_is_done_only_after_typing_all() {
        AtomicInteger asked = new AtomicInteger();
        page.route("**/api/v1/bulk", route -> {
            String body = String.valueOf(route.request().postData());
            if (!body.contains("\"dryRun\":true")) {
                route.resume();
                return;
            }
            asked.incrementAndGet();
            route.fulfill(new Route.FulfillOptions()
                    .setContentType("application/json")
                    .setBody("{\"jobs\":2,\"more\":true,\"next\":\"MCAxIDI\"}"));
        });
        open("/jobs?state=FAILED");
        // the page's clock goes on by six seconds with each step, so that the ten seconds for counting are over after
        // two
        page.evaluate("() => { const f = fetch, now = Date.now; let steps = 0; Date.now = () => now() + 6000 * steps;"
                + " window.fetch = (to, how) => { if (String(to).endsWith('/bulk')) steps++; return f(to, how); }; }");
        page.locator("button:text-is('Delete all…')").click();
        page.waitForSelector("dialog[open]");
        assertEquals(2, asked.get());
        assertEquals(
                "Delete: all that match, at least 4 jobs",
                page.locator("dialog h2").textContent());
        assertTrue(page.locator("dialog button.go").isDisabled());
        page.locator("dialog .proof input").fill("2");
        assertTrue(page.locator("dialog button.go").isDisabled());
        page.locator("dialog .proof input").fill("all");
        tidy("/dialog-all");
        page.locator("dialog button.go").click();
        // why through the page: requests that are looked at on their way wait for the test's thread
        until("document.getElementById('toast').textContent === 'Delete: 4 jobs.'");
        assertEquals(0, office.count(StateName.FAILED));
    }

    @Test
    void while_it_counts_the_button_says_so_and_cannot_be_pressed_again() {
        AtomicReference<Route> held = new AtomicReference<>();
        page.route("**/api/v1/bulk", held::set);
        open("/jobs?state=FAILED");
        page.locator("button:text-is('Delete all…')").click();
        page.waitForSelector("button[aria-busy=true]");
        assertTrue(page.locator("button[aria-busy=true]").isDisabled());
        assertTrue(page.locator("button:text-is('Run again all…')").isDisabled());
        shot("/jobs-counting");
        held.get().resume();
        page.waitForSelector("dialog[open]");
        assertFalse(page.locator("button:text-is('Run again all…')").isDisabled());
    }

    @Test
    void an_operation_that_failed_is_told_as_failed_with_its_reason_and_a_failed_look_recovers() {
        AtomicInteger looks = new AtomicInteger();
        String operation =
                "{\"id\":\"x\",\"action\":\"DELETE\",\"filter\":\"all\",\"by\":\"ada\",\"begunAt\":\"2026-01-01T00:00:00Z\","
                        + "\"expected\":4,\"skipped\":0,";
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            looks.set(0);
            context.close();
            page = page(scheme == ColorScheme.LIGHT ? 1280 : 390, 800, scheme);
            routes(looks, operation);
            // as after a reload: nothing was begun in this page
            open("/jobs?state=FAILED");
            page.waitForSelector("#toast.on.bad");
            assertEquals(
                    "Delete failed after 2 jobs. The database did not answer.",
                    page.locator("#toast").textContent());
            assertTrue(page.locator(".operation.bad").textContent().contains("2 of 4, failed"));
            tidy("/operation-failed-" + scheme.name().toLowerCase(java.util.Locale.ROOT));
        }
        complaints.removeIf(text -> text.contains("503"));
    }

    private void routes(AtomicInteger looks, String operation) {
        page.route(
                "**/api/v1/operations/x",
                route -> route.fulfill(
                        new Route.FulfillOptions()
                                .setContentType("application/json")
                                .setStatus(looks.get() == 1 ? 503 : 200)
                                .setBody(
                                        operation
                                                + (looks.incrementAndGet() < 4
                                                        ? "\"done\":1,\"standing\":\"running\"}"
                                                        : "\"done\":2,\"standing\":\"failed\",\"problem\":\"The database did not answer.\",\"endedAt\":\"2026-01-01T00:00:01Z\"}"))));
        page.route(
                "**/api/v1/operations",
                route -> route.fulfill(new Route.FulfillOptions()
                        .setContentType("application/json")
                        .setBody("{\"operations\":[" + operation + "\"done\":1,\"standing\":\"running\"}]}")));
    }
}
