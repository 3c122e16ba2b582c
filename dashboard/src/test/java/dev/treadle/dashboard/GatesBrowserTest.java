package dev.treadle.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.options.ColorScheme;
import dev.treadle.job.GateId;
import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import java.util.List;
import java.util.Locale;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The page of a job that is made of jobs, the lists it leads to, and events by hand. */
@Timeout(600)
class GatesBrowserTest extends Browsing {
    @Test
    void the_page_says_why_a_job_waits_and_opens_what_it_is_made_of_level_by_level() {
        JobId id = Payroll.waiting(office, 25);
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            for (int width : new int[] {1280, 390}) {
                context.close();
                page = page(width, 900, scheme);
                open("/jobs/" + id);
                page.waitForSelector(".notice.waiting");

                String why = page.locator(".notice.waiting").textContent();
                assertTrue(why.contains("20 of 25 have ended, 5 of them failed or cancelled"), why);
                assertTrue(why.contains("when all have ended"), why);
                assertEquals(1, page.locator(".tree.root > li").count(), "a node for all of them");
                String label = page.locator(".tree .bar").getAttribute("aria-label");
                assertEquals("15 succeeded, 5 failed or cancelled, 5 running", label);
                tidy("/gates-" + scheme.name().toLowerCase(Locale.ROOT) + "-" + width);

                page.locator("button.fold").first().click();
                page.waitForSelector(".tree .tree li.job");
                assertEquals(
                        20, page.locator(".tree.root > li > .tree > li.job").count());
                page.locator("button[aria-label='Show the jobs of page']")
                        .first()
                        .click();
                page.waitForSelector(".tree .tree .tree .tree li.job");
                page.locator(".card.gates").scrollIntoViewIfNeeded();
                tidy("/gates-open-" + scheme.name().toLowerCase(Locale.ROOT) + "-" + width);
                page.locator("a:text-is('and 5 more')").click();
                page.waitForSelector(".card.above");
                until("document.querySelectorAll('table.jobs tbody tr').length === 25");
                tidy("/gates-list-" + scheme.name().toLowerCase(Locale.ROOT) + "-" + width);
            }
        }
    }

    @Test
    void a_number_leads_to_the_jobs_that_it_counts_and_what_is_done_there_touches_no_other() {
        JobId id = Payroll.waiting(office, 10);
        open("/jobs/" + id);
        page.locator(".key a:has-text('2 failed or cancelled')").click();
        page.waitForSelector("table.jobs tbody tr");
        assertEquals(2, page.locator("table.jobs tbody tr").count());
        assertEquals("Failed", page.locator(".tabs a[aria-selected=true] span").textContent());
        page.locator("button:text-is('Delete all…')").click();
        page.waitForSelector("dialog[open]");
        assertEquals("Delete: 2 jobs", page.locator("dialog h2").textContent());
        page.locator("dialog button.go").click();
        until("document.getElementById('toast').textContent === 'Delete: 2 jobs.'");
        // those that have nothing to do with it
        assertEquals(4, office.count(StateName.FAILED));
        page.locator(".above a").first().click();
        page.waitForSelector(".notice.waiting");
    }

    @Test
    void a_child_links_to_what_it_is_part_of() {
        JobId id = Payroll.waiting(office, 5);
        JobId child = GateId.of(Payroll.slips(id).child(3), "page").child(0);
        open("/jobs/" + child);
        until("document.querySelectorAll('.crumbs a').length === 5");
        List<String> words = page.locator(".crumbs a").allTextContents();
        assertEquals(List.of("Jobs", "Payroll.Pay", "slip", "Payroll.Slip", "page"), words);
        shot("/gates-child");
        page.locator(".crumbs a:text-is('Payroll.Pay')").click();
        page.waitForSelector(".notice.waiting");
        assertFalse(page.locator(".crumbs").textContent().contains("slip"));
    }

    @Test
    void an_event_is_given_by_hand_and_a_wrong_one_is_said_in_the_dialog() {
        JobId id = Payroll.awaiting(office, 2);
        for (ColorScheme scheme : List.of(ColorScheme.DARK, ColorScheme.LIGHT)) {
            context.close();
            page = page(scheme == ColorScheme.LIGHT ? 1280 : 390, 900, scheme);
            open("/jobs/" + id);
            page.waitForSelector(".notice.waiting");
            assertTrue(page.locator(".card.gates").textContent().contains("<img src=/x>"));
            assertEquals(0, page.locator("main img").count(), "a name is text");
            tidy("/event-" + scheme.name().toLowerCase(Locale.ROOT));
            page.locator(".notice.waiting button:text-is('Signal…')").click();
            page.waitForSelector("dialog[open] textarea");
            page.locator("dialog textarea").fill("APPROVED");
            page.locator("dialog button.go").click();
            assertTrue(page.locator("dialog[open]").isVisible(), "what is no JSON is not sent");
            page.locator("dialog textarea").fill("\"PERHAPS\"");
            page.locator("dialog button.go").click();
            page.waitForSelector("dialog[open] .refused:not([hidden])");
            assertEquals("\"PERHAPS\"", page.locator("dialog textarea").inputValue());
            assertTrue(page.locator("dialog .refused").textContent().contains("APPROVED"));
            tidy("/event-dialog-" + scheme.name().toLowerCase(Locale.ROOT));
        }
        complaints.removeIf(text -> text.contains("400"));
        page.locator("dialog textarea").fill("\"APPROVED\"");
        page.locator("dialog button.go").click();
        Awaitility.await()
                .until(() -> office.storage.queries().states(List.of(id)).get(id) == StateName.SUCCEEDED);
        until("document.querySelector('main .badge').textContent === 'Succeeded'");
        assertEquals(0, page.locator(".notice.waiting").count());
        assertEquals("SIGNAL", office.storage.operators().audit(null, 1).get(0).action());
    }

    @Test
    void what_failed_is_run_again_with_a_count_and_a_cancel_says_what_it_takes_along() {
        JobId id = Payroll.failed(office);
        office.mended.set(true);
        open("/jobs/" + id);
        page.waitForSelector(".card.gates");
        page.locator("button:text-is('Run failed again…')").click();
        page.waitForSelector("dialog[open]");
        String title = page.locator("dialog h2").textContent();
        assertTrue(title.matches("Run again: \\d+ jobs"), title);
        assertTrue(page.locator("dialog .text").textContent().contains("the deepest first"));
        tidy("/gates-again");
        page.locator("dialog button.go").click();
        until("document.querySelector('main .badge').textContent === 'Succeeded'");

        JobId waiting = Payroll.waiting(office, 5);
        open("/jobs/" + waiting);
        page.waitForSelector(".notice.waiting");
        page.locator("button:text-is('Cancel')").click();
        page.waitForSelector("dialog[open]");
        String said = page.locator("dialog .text").textContent();
        assertTrue(said.contains("children that have not ended are cancelled too: 1 job"), said);
        page.locator("dialog button.go").click();
        until("document.querySelector('main .badge').textContent === 'Cancelled'");
        Awaitility.await()
                .until(() -> office.storage
                                .queries()
                                .states(List.of(Payroll.slips(waiting).child(2)))
                                .get(Payroll.slips(waiting).child(2))
                        == StateName.CANCELLED);
    }

    @Test
    void jobs_that_wait_are_listed_under_a_tab_of_their_own() {
        Payroll.waiting(office, 5);
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            for (int width : new int[] {1280, 390}) {
                context.close();
                page = page(width, 800, scheme);
                open("/jobs?state=WAITING");
                page.waitForSelector("table.jobs tbody tr");
                assertEquals(1, page.locator("table.jobs tbody tr").count());
                tidy("/waiting-" + scheme.name().toLowerCase(Locale.ROOT) + "-" + width);
            }
        }
    }
}
