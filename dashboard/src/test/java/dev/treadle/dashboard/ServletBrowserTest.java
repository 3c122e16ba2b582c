package dev.treadle.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.options.ColorScheme;
import dev.treadle.job.StateName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The page in a browser, from a Tomcat, below a context path, behind an application that wants its own token. */
@Timeout(600)
class ServletBrowserTest extends Browsing {
    private @Nullable ServletContainer tomcat;

    private ServletContainer tomcat() {
        if (tomcat == null) {
            tomcat = ServletContainer.Kind.TOMCAT.of(
                    Dashboard.of(office.treadle).title("Office"), "/shop", "/admin/jobs/*");
            tomcat.who.set("ada:ops");
        }
        return tomcat;
    }

    @Override
    String url() {
        return tomcat().url();
    }

    @AfterEach
    void closeTomcat() {
        if (tomcat != null) {
            // why first: a page that is open would report that its server went
            context.close();
            tomcat.close();
            tomcat = null;
        }
    }

    @Test
    void every_page_looks_as_it_should_below_a_context_path() {
        for (ColorScheme scheme : new ColorScheme[] {ColorScheme.LIGHT, ColorScheme.DARK}) {
            for (int width : new int[] {1280, 390}) {
                context.close();
                page = page(width, 800, scheme);
                for (String view : new String[] {"/", "/jobs?state=FAILED", "/servers"}) {
                    open(view);
                    String name = view.equals("/") ? "overview" : view.replaceAll("[^a-z]+", "");
                    tidy("/servlet-" + name + "-" + scheme.name().toLowerCase(java.util.Locale.ROOT) + "-" + width);
                }
            }
        }
        page.locator("nav a[href='/shop/admin/jobs/queues']").click();
        page.waitForSelector("h1:text-is('Queues')");
        assertEquals(url() + "/queues", page.url());
        page.reload();
        page.waitForSelector("h1:text-is('Queues')");
    }

    @Test
    void an_operator_acts_with_the_token_of_the_application_also_after_it_has_changed() {
        tomcat().token.set("first");
        open("/jobs/" + office.one(StateName.FAILED));
        tomcat.token.set("second");
        long failed = office.storage.operators().audit(null, 100).size();
        page.locator("button:text-is('Run again')").click();
        page.locator("dialog button.go").click();
        page.waitForSelector("#toast.on");
        until("!document.querySelector('#toast.bad.on')");
        assertEquals(failed + 1, office.storage.operators().audit(null, 100).size());
        assertEquals("ada", office.storage.operators().audit(null, 1).get(0).by());
        // the browser reports the refusal that brought the new token
        complaints.removeIf(text -> text.contains("403"));
    }

    @Test
    void a_viewer_has_no_buttons() {
        tomcat().who.set("vic:staff");
        open("/jobs/" + office.one(StateName.FAILED));
        assertEquals(0, page.locator("button:text-is('Run again')").count());
        assertTrue(page.locator(".user").textContent().contains("viewer"));
    }

    @Test
    void who_is_signed_out_meanwhile_is_told_and_can_sign_in_again() {
        open("/");
        tomcat.who.set("");
        tomcat.signIn.set("https://login.example/");
        tomcat.servlet.endStreams();
        page.waitForSelector("text=You are not signed in any more.");
        tidy("/servlet-signed-out");
        tomcat.who.set("ada:ops");
        page.locator("text=Sign in again").click();
        page.waitForSelector(".verdict[data-level]");
        complaints.removeIf(text -> text.contains("503") || text.contains("login.example") || text.contains("302"));
    }
}
