package dev.treadle.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.Route;
import dev.treadle.job.StateName;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An answer that comes after a later one changes nothing, and a page shows what was asked for last. */
@Timeout(240)
class OvertakenTest extends Browsing {
    /** How long the page has to show an answer that it should not show. */
    private static final int SHOWN_MILLIS = 300;

    private final List<Held> held = new ArrayList<>();

    /** A question, and what it would have been answered when it was asked. */
    private record Held(Route route, APIResponse answer) {}

    private void hold(Predicate<Request> which) {
        held.clear();
        page.route("**/api/v1/**", route -> {
            if (which.test(route.request())) {
                held.add(new Held(route, route.fetch()));
            } else {
                route.resume();
            }
        });
    }

    private void awaitHeld() {
        for (int asked = 0; held.isEmpty(); asked++) {
            assertTrue(asked < 200, "never asked");
            page.waitForTimeout(75);
        }
    }

    private void answerLate() {
        held.forEach(one -> one.route().fulfill(new Route.FulfillOptions().setResponse(one.answer())));
        page.waitForTimeout(SHOWN_MILLIS);
    }

    @Test
    void two_quick_clicks_on_windows_of_a_server_show_the_second() {
        open("/servers");
        page.waitForSelector("h2:has-text('Monitor of')");
        hold(request -> request.url().contains("window=1h"));
        page.locator("main .windows button:text-is('1h')").click();
        awaitHeld();
        page.locator("main .windows button:text-is('24h')").click();
        until("document.querySelector('main [data-window]').dataset.window === '24h'");
        answerLate();
        assertEquals("24h", page.locator("main [data-window]").first().getAttribute("data-window"));
    }

    @Test
    void two_quick_clicks_on_windows_of_the_overview_show_the_second() {
        open("/");
        hold(request -> request.url().contains("window=7d"));
        page.locator("main .windows button:text-is('7d')").click();
        awaitHeld();
        page.locator("main .windows button:text-is('1h')").click();
        until("document.querySelector('main [data-window]').dataset.window === '1h'");
        answerLate();
        assertEquals("1h", page.locator("main [data-window]").first().getAttribute("data-window"));
    }

    @Test
    void a_list_of_jobs_that_comes_late_does_not_replace_the_one_that_was_searched_for() {
        open("/jobs");
        hold(request -> request.url().contains("/jobs?") && request.url().contains("q=Break"));
        search("Break");
        awaitHeld();
        search("Greet");
        page.waitForSelector("table.jobs tbody tr:has-text('Greet')");
        answerLate();
        assertEquals(0, page.locator("table.jobs tbody tr:has-text('Break')").count());
    }

    @Test
    void a_search_that_fails_late_does_not_hide_the_list_that_is_there() {
        open("/jobs");
        hold(request -> request.url().contains("q=Break"));
        search("Break");
        awaitHeld();
        search("Greet");
        page.waitForSelector("table.jobs tbody tr:has-text('Greet')");
        held.forEach(one -> one.route().abort());
        page.waitForTimeout(SHOWN_MILLIS);
        assertEquals(0, page.locator(".card.problem").count());
        complaints.removeIf(text -> text.contains("ERR_FAILED"));
    }

    @Test
    void the_search_field_says_what_the_list_shows_and_keeps_what_is_being_typed() {
        open("/jobs?q=Greet");
        page.locator("#q").fill("half a wo");
        office.dashboard.look();
        office.dashboard.look();
        page.waitForTimeout(300);
        assertEquals("half a wo", page.locator("#q").inputValue());
        page.locator(".tabs a:has-text('Failed')").click();
        page.waitForSelector(".tabs a[aria-selected=true]:has-text('Failed')");
        until("document.getElementById('q').value === 'Greet'");
    }

    @Test
    void a_list_of_queues_that_was_asked_for_before_a_pause_does_not_undo_it() {
        office.restQueues();
        open("/queues");
        hold(request -> request.method().equals("GET") && request.url().endsWith("/queues"));
        awaitHeld();
        page.locator("tr:has-text('default') button:text-is('Pause')").click();
        page.locator("dialog button.go").click();
        page.waitForSelector("tr:has-text('default') button:text-is('Resume')");
        answerLate();
        assertEquals(
                1,
                page.locator("tr:has-text('default') button:text-is('Resume')").count());
    }

    @Test
    void the_stack_of_one_job_is_not_shown_on_the_page_of_another() {
        open("/jobs/" + office.one(StateName.PROCESSING));
        hold(request -> request.url().endsWith("/stack"));
        page.locator("button:text-is('Stack now')").click();
        awaitHeld();
        office.treadle.jobs().enqueue(new Office.Hold(2));
        org.awaitility.Awaitility.await().until(() -> office.count(StateName.PROCESSING) == 2);
        page.locator("nav a:has-text('Jobs')").click();
        page.locator(".tabs a:has-text('Running')").click();
        page.locator("table.jobs a:has-text('Hold')").first().click();
        page.waitForSelector("button:text-is('Stack now')");
        answerLate();
        assertEquals(0, page.locator("pre.trace").count());
    }

    private void search(String words) {
        page.locator("#q").fill(words);
        page.locator("#q").press("Enter");
    }
}
