package dev.treadle.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.options.ColorScheme;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.schedule.Schedule;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What does not fit on the first page can be reached, and numbers stand only where they are those of the list. */
@Timeout(600)
class ReachBrowserTest extends Browsing {
    @Test
    void all_recurring_jobs_are_reached_by_showing_more_and_by_searching() {
        for (int i = 100; i < 160; i++) {
            office.treadle.jobs().recurring("report-" + i, Schedule.cron("0 2 1 1 *"), new Office.Greet("r" + i));
        }
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            context.close();
            page = page(scheme == ColorScheme.LIGHT ? 1280 : 390, 800, scheme);
            open("/recurring");
            assertEquals(50, page.locator(".recurring").count());
            tidy("/recurring-many-" + scheme.name().toLowerCase(Locale.ROOT));
            page.locator("button:text-is('Show more')").click();
            until("document.querySelectorAll('.recurring').length === 61");
            assertEquals(0, page.locator("button:text-is('Show more')").count());
        }
        open("/recurring");
        page.locator("#words").fill("REPORT-15");
        page.keyboard().press("Enter");
        until("document.querySelectorAll('.recurring').length === 10");
        page.locator("#words").fill("no-such-thing");
        page.keyboard().press("Enter");
        page.waitForSelector("text=No recurring job matches no-such-thing.");
    }

    @Test
    void the_whole_audit_log_is_reached_and_stays_while_new_rows_come() {
        for (int i = 0; i < 120; i++) {
            office.storage
                    .operators()
                    .note(new OperatorAct("NOTE", new OperatorNote("ada", "number " + i), "a test"), 1);
        }
        open("/audit");
        assertEquals(50, page.locator("table.audit tbody tr").count());
        page.locator("button:text-is('Show older')").click();
        until("document.querySelectorAll('table.audit tbody tr').length === 100");
        office.storage.operators().note(new OperatorAct("NOTE", new OperatorNote("ada", "the newest"), "a test"), 1);
        page.waitForSelector("text=the newest");
        assertEquals(101, page.locator("table.audit tbody tr").count());
        page.locator("button:text-is('Show older')").click();
        until("document.querySelectorAll('table.audit tbody tr').length === 121");
        assertEquals(0, page.locator("button:text-is('Show older')").count());
        assertTrue(page.locator("table.audit").textContent().contains("number 0"));
        tidy("/audit-all");
    }

    @Test
    void numbers_of_all_jobs_do_not_stand_over_those_that_were_found() {
        open("/jobs?state=FAILED");
        // all of them, and those of each state
        assertEquals(1 + StateName.values().length, page.locator(".tabs b").count());
        open("/jobs?state=FAILED&q=nothing-like-this");
        assertEquals(0, page.locator(".tabs b").count());
        office.failMany(2);
        until("document.querySelector('nav a[aria-current=page]') !== null"
                + " && [...document.querySelectorAll('nav b')].some((b) => b.textContent === '6')");
        assertEquals(0, page.locator("button.newer").count());
        open("/jobs?state=FAILED&q=" + "x".repeat(250));
        tidy("/jobs-long-word");
        assertEquals(6, office.count(StateName.FAILED));
    }

    @Test
    void an_address_that_is_no_view_is_told_by_the_page() {
        page.navigate(office.url() + "/nowhere");
        page.waitForSelector("h1:text-is('Not found')");
        tidy("/nowhere");
        complaints.removeIf(text -> text.contains("404"));
    }
}
