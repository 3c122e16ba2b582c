package dev.treadle.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** A real browser with a page of an office. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class Browsing {
    /** How long to wait for what the page shows at once on an idle machine. */
    private static final int PATIENCE_MILLIS = 30_000;

    private static final int BETWEEN_MILLIS = 75;
    /** Tables and tabs of which a wide window shows a part only. */
    private static final String CUT_OFF =
            "window.innerWidth < 1200 ? [] : [...document.querySelectorAll('.scroll, .tabs')]"
                    + ".filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.innerText)";

    private static final Path SHOTS = Path.of("target", "screenshots");

    private @Nullable Path chromium;
    private @Nullable Playwright playwright;
    private @Nullable Browser browser;
    final List<String> complaints = new ArrayList<>();
    Office office;
    BrowserContext context;
    Page page;

    @BeforeAll
    void findBrowser() throws Exception {
        chromium = Stream.of("chromium", "chromium-browser", "google-chrome")
                .flatMap(name -> Stream.of("/usr/bin/", "/usr/local/bin/", "/opt/google/chrome/")
                        .map(folder -> Path.of(folder + name)))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        if (chromium != null) {
            Files.createDirectories(SHOTS);
            playwright = Playwright.create(
                    new Playwright.CreateOptions().setEnv(java.util.Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
            browser = playwright
                    .chromium()
                    .launch(new BrowserType.LaunchOptions()
                            .setExecutablePath(chromium)
                            .setTimeout(4 * PATIENCE_MILLIS)
                            .setArgs(List.of("--no-sandbox")));
        }
    }

    @BeforeEach
    void openPage() {
        assumeTrue(chromium != null, "There is no Chromium on this machine: ./treadle setup installs it.");
        office = Office.open(new InMemoryStorageProvider()).fill();
        page = page(1280, 800, ColorScheme.LIGHT);
    }

    @AfterEach
    void closePage() {
        if (office != null) {
            context.close();
            office.close();
        }
        assertEquals(List.of(), complaints);
    }

    @AfterAll
    void closeBrowser() {
        if (playwright != null) {
            playwright.close();
        }
    }

    /** Takes a picture and looks for what would be wrong with it. */
    final void tidy(String name) {
        assertEquals(false, page.evaluate("document.documentElement.scrollWidth > window.innerWidth"), name);
        assertEquals(List.of(), page.evaluate(CUT_OFF), name);
        assertAccessible(name);
        shot(name);
    }

    final Page page(int width, int height, ColorScheme scheme) {
        context = java.util.Objects.requireNonNull(browser)
                .newContext(new Browser.NewContextOptions()
                        .setViewportSize(width, height)
                        .setColorScheme(scheme));
        Page fresh = context.newPage();
        fresh.setDefaultTimeout(PATIENCE_MILLIS);
        fresh.onConsoleMessage(message -> {
            if (message.type().equals("error") || message.type().equals("warning")) {
                complaints.add(message.text());
            }
        });
        fresh.onPageError(complaints::add);
        return fresh;
    }

    /** Where the page is. */
    String url() {
        return office.url();
    }

    final void open(String view) {
        page.navigate(url() + view);
        page.waitForSelector(".verdict[data-level]");
        page.waitForSelector("main h1");
        until("!document.querySelector('.skeleton')");
    }

    /** Asks again until it is so: the page's policy forbids what the library's own waiting does. */
    final void until(String so) {
        for (int asked = 0; !Boolean.TRUE.equals(page.evaluate(so)); asked++) {
            assertTrue(asked < PATIENCE_MILLIS / BETWEEN_MILLIS, () -> "never: " + so + " on " + page.url());
            page.waitForTimeout(BETWEEN_MILLIS);
        }
    }

    final void shot(String name) {
        String file = name.equals("/")
                ? "overview"
                : name.substring(1).replaceFirst("^-", "overview-").replaceAll("jobs/[0-9a-f-]{36}", "job");
        page.screenshot(new Page.ScreenshotOptions().setPath(SHOTS.resolve(file + ".png")));
    }

    /** What axe-core finds by WCAG 2.1 AA, and text of too little contrast in colours that it does not know. */
    final void assertAccessible(String where) {
        assertEquals(List.of(), page.evaluate(Scripts.CONTRAST), where);
        page.evaluate(Scripts.axe());
        assertEquals(List.of(), page.evaluate(Scripts.ACCESSIBLE), where);
    }
}
