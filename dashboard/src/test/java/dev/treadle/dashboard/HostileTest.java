package dev.treadle.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobId;
import dev.treadle.job.KeyRule;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.JobAction;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Text that would like to be code, through every way by which text comes to the page. */
@Timeout(900)
class HostileTest extends Browsing {
    private static final List<String> HOSTILE = List.of(
            "<img src=x onerror=window.hit=1>",
            "<script>window.hit=1</script>",
            "\"><svg onload=window.hit=1>",
            "javascript:window.hit=1",
            "${window.hit=1}",
            "{{constructor.constructor('window.hit=1')()}}",
            "'-window.hit=1-'",
            "<iframe srcdoc='<script>parent.hit=1</script>'>",
            "\u202Eevil\u0000\u001B[31m",
            "<a href=javascript:window.hit=1>x</a>",
            "<style>*{display:none}</style>",
            "</pre><b id=hit>");

    @Test
    void hostile_text_is_shown_as_it_is_and_does_nothing() {
        for (String hostile : HOSTILE) {
            String clean = hostile.replace("\u0000", "");
            office.treadle.jobs().enqueue(new Office.Break(clean, clean));
            office.treadle.jobs().enqueue(new Office.Greet(clean));
            office.treadle
                    .jobs()
                    .with(dev.treadle.api.JobOptions.DEFAULT.withName(clean).withLabels(clean))
                    .schedule(java.time.Duration.ofHours(1), new Office.Greet(clean));
        }
        Awaitility.await().until(() -> office.count(StateName.FAILED) >= 4 + HOSTILE.size());
        office.dashboard.look();
        for (String view : List.of(
                "/jobs",
                "/jobs?q=%3Cimg%20src=x%20onerror=window.hit=1%3E",
                "/failures",
                "/jobs?state=FAILED&cause=%3Cscript%3Ewindow.hit=1%3C/script%3E")) {
            open(view);
            assertFalse((Boolean) page.evaluate("'hit' in window && !!window.hit"), view);
        }
        for (var line : office.storage
                .search()
                .list(dev.treadle.storage.admin.JobQuery.in(StateName.FAILED), null, 50)
                .lines()) {
            open("/jobs/" + line.job().id());
            assertFalse((Boolean) page.evaluate("!!(window.hit || document.getElementById('hit'))"));
        }
        assertEquals(
                0,
                page.locator("main img, main iframe, main style, main script").count());
    }

    @Test
    void what_jobs_tell_and_return_and_what_servers_say_of_themselves_does_nothing() {
        List<JobId> told = new ArrayList<>();
        for (String hostile : HOSTILE) {
            String clean = hostile.replace("\u0000", "");
            told.add(office.treadle
                    .jobs()
                    .with(dev.treadle.api.JobOptions.DEFAULT
                            .withName(clean)
                            .withLabels(clean)
                            .withKey(KeyRule.limit(clean, 3)))
                    .enqueue(new Office.Say(clean)));
            office.treadle.queues().pause(clean, clean, clean);
        }
        String all = String.join(" ", HOSTILE).replace("\u0000", "");
        office.storage.heartbeat(new dev.treadle.storage.NodeInfo(
                        new dev.treadle.job.NodeId(4711), all, HOSTILE.get(1), 3)
                .with(new dev.treadle.storage.NodeFigures(
                        new dev.treadle.storage.NodeVitals(1, 2, 3, 0.5, 1, 1, 1),
                        java.util.Map.of(HOSTILE.get(0), HOSTILE.get(1), "jdk", HOSTILE.get(2), "queue default", all),
                        null)));
        Awaitility.await()
                .until(() -> told.stream()
                        .allMatch(id ->
                                office.storage.queries().states(List.of(id)).get(id) == StateName.SUCCEEDED));
        Awaitility.await()
                .until(() -> told.stream()
                        .allMatch(id -> office.treadle.jobs().notes(id).isPresent()));
        Awaitility.await().until(() -> {
            office.dashboard.look();
            return office.storage.search().nodes(java.time.Duration.ZERO).size() == 2;
        });
        for (int i = 0; i < told.size(); i++) {
            String clean = HOSTILE.get(i).replace("\u0000", "");
            open("/jobs/" + told.get(i));
            page.waitForSelector(".log");
            assertHarmless(clean);
            assertTrue(page.locator(".log").textContent().contains(clean.substring(1)), clean);
            assertTrue(page.locator("main").textContent().contains("the word is " + clean.substring(1, 2)), clean);
        }
        for (String view : List.of("/", "/jobs", "/queues", "/servers", "/servers/4711", "/problems")) {
            open(view);
            assertHarmless(view);
        }
        page.waitForTimeout(100);
        open("/servers/4711");
        page.waitForSelector("h2:has-text('Monitor of')");
        assertHarmless("monitor");
        shot("/servers-hostile");
    }

    @Test
    void words_that_never_end_stay_within_their_page_and_turn_nothing_around_them() {
        String word = "x".repeat(90);
        String turned = "\u202Eturned";
        office.treadle.queues().pause(word, word.repeat(4), word.repeat(3));
        office.treadle.queues().pause("mail", turned, turned);
        office.treadle.jobs().enqueue(new Office.Break(word.repeat(8), "x"));
        JobId scheduled = office.one(StateName.SCHEDULED);
        OperatorNote note = new OperatorNote(word.repeat(2), word.repeat(5));
        office.storage.act(JobAction.RUN_NOW, note, List.of(scheduled), JobAction.RUN_NOW.on(word.repeat(2), note));
        Awaitility.await().until(() -> office.count(StateName.FAILED) >= 5);
        for (int i = 0; i < 15; i++) {
            // queues are looked at in every third turn, and counted in every fifteenth
            office.dashboard.look();
        }
        for (int width : new int[] {1280, 390}) {
            context.close();
            page = page(width, 800, com.microsoft.playwright.options.ColorScheme.LIGHT);
            for (String view :
                    List.of("/", "/jobs", "/failures", "/queues", "/servers", "/problems", "/audit", "/docs")) {
                open(view);
                assertEquals(
                        false,
                        page.evaluate("document.documentElement.scrollWidth > window.innerWidth"),
                        view + " scrolls sideways at " + width);
                shot(view + "-long-" + width);
            }
            open("/problems");
            page.waitForSelector(".group h2:has-text('mail')");
            assertFalse(page.locator(".group h2:has-text('mail')").textContent().contains("\u202E"));
        }
    }

    private void assertHarmless(String where) {
        assertFalse((Boolean) page.evaluate("!!(window.hit || document.getElementById('hit'))"), where);
        assertEquals(
                0,
                page.locator("main img, main iframe, main style, main script").count(),
                where);
        assertEquals(0, page.locator("a[href^='javascript:']").count(), where);
    }
}
