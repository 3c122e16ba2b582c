package dev.treadle.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.options.ColorScheme;
import dev.treadle.job.JobId;
import dev.treadle.job.KeyRule;
import dev.treadle.job.StateName;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The page in a real browser: every view, every action, live numbers, both themes, a phone; and nothing hostile runs. */
@Timeout(900)
class BrowserTest extends Browsing {
    private static final List<String> VIEWS =
            List.of("/", "/jobs", "/failures", "/recurring", "/queues", "/servers", "/problems", "/audit", "/docs");

    @Test
    void every_view_opens_in_both_themes_and_on_a_phone_without_a_complaint_and_without_sideways_scrolling() {
        office.treadle.jobs().cancel(office.one(StateName.SCHEDULED), "ada", "not needed");
        office.restQueues();
        String job = "/jobs/" + office.one(StateName.FAILED);
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            for (int width : new int[] {1280, 390, 360}) {
                context.close();
                page = page(width, width > 1000 ? 800 : 780, scheme);
                for (String view : Stream.concat(VIEWS.stream(), Stream.of(job)).toList()) {
                    open(view);
                    assertTrue(page.locator("main h1").count() >= 1, view);
                    Object wide = page.evaluate("document.documentElement.scrollWidth > window.innerWidth");
                    assertEquals(false, wide, view + " scrolls sideways at " + width);
                    if (width != 360) {
                        shot(view + "-" + scheme.name().toLowerCase(java.util.Locale.ROOT) + "-" + width);
                    }
                }
            }
        }
    }

    @Test
    void text_is_readable_against_its_background_and_controls_have_names() {
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            context.close();
            page = page(1280, 800, scheme);
            for (String view : Stream.concat(VIEWS.stream(), Stream.of("/jobs/" + office.one(StateName.FAILED)))
                    .toList()) {
                open(view);
                assertAccessible(view + " " + scheme);
            }
        }
    }

    @Test
    void numbers_move_by_themselves() {
        open("/");
        String before = page.locator(".tile .value").first().textContent();
        assertEquals("1", before);
        office.treadle.jobs().enqueueAll(Stream.of(new Office.Hold(2), new Office.Hold(3)));
        until("document.querySelector('.tile .value').textContent === '3'");
    }

    @Test
    void where_the_live_stream_is_blocked_the_page_asks_again_and_again() {
        page.route(
                "**/api/v1/events",
                route -> route.fulfill(new com.microsoft.playwright.Route.FulfillOptions().setStatus(503)));
        open("/");
        office.treadle.jobs().enqueueAll(Stream.of(new Office.Hold(2)));
        until("document.querySelector('.tile .value').textContent === '2'");
        complaints.removeIf(text -> text.contains("503"));
    }

    @Test
    void a_job_is_run_again_from_its_page_with_a_reason() {
        JobId failed = office.one(StateName.FAILED);
        open("/jobs/" + failed);
        page.locator("button:text-is('Run again')").first().click();
        page.locator("dialog input[name=why]").fill("mended the IBAN");
        page.locator("dialog button.go").click();
        page.waitForSelector("text=mended the IBAN");
        assertEquals(
                "mended the IBAN",
                office.storage.operators().audit(null, 1).get(0).why());
        open("/audit");
        assertTrue(page.locator("main").textContent().contains("run again"));
    }

    @Test
    void the_page_of_a_running_job_shows_the_stacks_of_its_forks_under_their_names() {
        JobId id = office.treadle.jobs().enqueue(new Office.Split(1));
        Awaitility.await()
                .until(() -> office.treadle.server().orElseThrow().stacksOf(id).size() == 3);
        open("/jobs/" + id);
        page.locator("button:text-is('Stack now')").click();
        page.waitForSelector("h3.fork");
        assertEquals(
                List.of("job-" + id + "/update-inventory", "job-" + id + "/update-order"),
                page.locator("h3.fork").allTextContents());
        assertEquals(3, page.locator("pre.trace").count());
        assertTrue(page.locator("pre.trace").nth(1).textContent().contains("Office.updateInventory"));
        page.locator("h3.fork").first().scrollIntoViewIfNeeded();
        tidy("/stacks");
    }

    @Test
    void never_minding_does_nothing() {
        open("/jobs/" + office.one(StateName.FAILED));
        page.locator("button:text-is('Delete')").click();
        page.locator("dialog button:text-is('Never mind')").click();
        assertTrue(office.storage.operators().audit(null, 1).isEmpty());
    }

    @Test
    void a_group_of_failures_is_opened_and_all_of_it_deleted_after_typing_the_count() {
        office.failMany(120);
        open("/failures");
        page.locator(".group a.button").first().click();
        page.waitForSelector("table.jobs tbody tr");
        page.locator("button:text-is('Delete all…')").click();
        page.waitForSelector("dialog[open]");
        assertTrue(page.locator("dialog button.go").isDisabled());
        page.locator("dialog .proof input").fill("124");
        page.locator("dialog button.go").click();
        Awaitility.await().until(() -> office.count(StateName.FAILED) == 0);
    }

    @Test
    void keys_lead_to_every_page_and_to_the_search() {
        open("/");
        Awaitility.await().until(() -> {
            // again, because the page forgets the first key after a second, which a busy machine may need for two
            page.keyboard().type("gf");
            page.waitForTimeout(200);
            return page.locator("h1:text-is('Failures')").count() == 1;
        });
        page.keyboard().press("/");
        until("document.activeElement && document.activeElement.id === 'q'");
        page.keyboard().type("label:vip");
        page.keyboard().press("Enter");
        until("document.querySelectorAll('table.jobs tbody tr').length === 1");
        assertTrue(page.url().contains("q=label%3Avip"));
        page.keyboard().press("Escape");
        page.locator("h1").click();
        page.keyboard().press("?");
        page.waitForSelector("aside.help");
    }

    @Test
    void a_recurring_job_is_paused_and_given_another_schedule() {
        open("/recurring");
        page.locator("button:text-is('Pause')").click();
        page.locator("dialog button.go").click();
        page.waitForSelector("button:text-is('Resume')");
        page.locator("button:text-is('Edit')").click();
        page.locator("input[name=schedule]").fill("nonsense");
        page.waitForSelector(".edit .failed");
        page.locator("input[name=schedule]")
                .fill(dev.treadle.schedule.Schedule.cron("0 3 * * *").toText());
        page.waitForSelector(".edit .times li");
        page.locator(".edit button.primary").click();
        page.waitForSelector("text=Changed here");
        assertEquals(2, office.storage.operators().audit(null, 10).size());
        complaints.removeIf(text -> text.contains("400"));
    }

    @Test
    void a_queue_is_paused_for_an_hour_and_resumed() {
        open("/queues");
        page.locator("button:text-is('Pause')").click();
        page.locator("dialog select").selectOption("3600");
        page.locator("dialog input[name=why]").fill("the relay is down");
        tidy("/queues-dialog");
        page.locator("dialog button.go").click();
        page.waitForSelector("text=the relay is down");
        var pause = office.treadle.queues().list().get(0).pause();
        assertEquals(
                "the relay is down", java.util.Objects.requireNonNull(pause).why());
        assertEquals(
                java.time.Duration.ofHours(1),
                java.time.Duration.between(pause.since(), java.util.Objects.requireNonNull(pause.until())));
        page.locator("button:text-is('Resume')").click();
        assertTrue(page.locator("dialog .choice").isHidden());
        page.locator("dialog button.go").click();
        page.waitForSelector("button:text-is('Pause')");
        assertEquals(2, office.storage.operators().audit(null, 10).size());
    }

    @Test
    void a_job_shows_how_far_it_is_what_it_says_what_it_returned_and_that_it_will_not_end() {
        JobId report = office.treadle
                .jobs()
                .with(dev.treadle.api.JobOptions.DEFAULT
                        .withName("Slips of March")
                        .withLabels("march", "slips")
                        .withKey(KeyRule.mailbox("printer"))
                        .withTimeout(java.time.Duration.ofMinutes(5)))
                .enqueue(new Office.Report(true));
        JobId next = office.treadle
                .jobs()
                .with(dev.treadle.api.JobOptions.DEFAULT.withKey(KeyRule.mailbox("printer")))
                .enqueue(new Office.Report(false));
        JobId stubborn = office.treadle.jobs().enqueue(new Office.Stubborn(1));
        Awaitility.await().until(() -> office.treadle.jobs().notes(report).isPresent());
        Awaitility.await().until(() -> office.count(StateName.PROCESSING) == 3);
        office.untilItWaits(stubborn);
        office.treadle.jobs().cancel(stubborn, "ada", "wrong month");
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            for (int width : new int[] {1280, 390}) {
                context.close();
                page = page(width, 1000, scheme);
                String shot = "-" + scheme.name().toLowerCase(java.util.Locale.ROOT) + "-" + width;
                open("/jobs/" + report);
                page.waitForSelector("text=the printer is slow today");
                tidy("/job-told" + shot);
                open("/jobs/" + next);
                page.waitForSelector("text=Waits for its key");
                tidy("/job-key" + shot);
                open("/jobs/" + stubborn);
                page.waitForSelector("text=but still running");
                tidy("/job-stubborn" + shot);
                open("/problems");
                page.waitForSelector(".group h2:text('still runs although it was cancelled')");
                tidy("/problems-stubborn" + shot);
            }
        }
        open("/jobs/" + report);
        page.waitForSelector("progress");
        assertEquals("340", page.locator("progress").getAttribute("value"));
        assertEquals(3, page.locator(".log > div").count());
        assertFalse(page.locator("main").textContent().contains(Office.SECRET));
        office.letGo();
        page.waitForSelector("h2:text-is('Result')");
        assertTrue(page.locator("main").textContent().contains("\"slips\": \"2000\""));
        assertFalse(page.locator("main").textContent().contains(Office.SECRET));
    }

    @Test
    void the_stack_of_a_running_job_is_shown() {
        open("/jobs/" + office.one(StateName.PROCESSING));
        page.locator("button:text-is('Stack now')").click();
        page.waitForSelector("pre.trace");
        assertTrue(page.locator("pre.trace").textContent().contains("CountDownLatch"));
    }
}
