package dev.treadle.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.api.JobOptions;
import dev.treadle.dashboard.guard.Role;
import dev.treadle.job.GiveUpException;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobType;
import dev.treadle.job.JobTypes;
import dev.treadle.job.StateName;
import dev.treadle.schedule.Schedule;
import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Jobs of a class that was renamed are shown under its present name, and found by it, whatever they are stored under. */
@ParameterizedClass
@ValueSource(strings = {"memory", "h2"})
@Timeout(240)
class RenamedTest {
    private static final String HERE = RenamedTest.class.getName() + "$";

    record OldMail(String to) implements JobRequest<Void> {}

    static class OldSlips {
        void make(int id) {}
    }

    @JobType(value = "mail.send", formerly = "dev.treadle.dashboard.RenamedTest$OldMail")
    record Letter(String to) implements JobRequest<Void> {}

    @JobType(formerly = "dev.treadle.dashboard.RenamedTest$OldSlips")
    static class Payslips {
        @JobType(formerly = "make(int)")
        void generate(int id) {}
    }

    private final AdminStorage storage;
    private final Treadle treadle;
    private final Dashboard dashboard;
    private final JsonMapper json = new JsonMapper();

    RenamedTest(String kind) {
        storage = kind.equals("memory")
                ? new InMemoryStorageProvider()
                : SqlStorageProvider.open("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
        Treadle before = Treadle.on(storage).enqueueOnly();
        OldSlips slips = new OldSlips();
        before.jobs().schedule(Duration.ofHours(1), new OldMail("ann"));
        before.jobs().schedule(Duration.ofHours(1), () -> slips.make(7));
        before.jobs().recurring("mails", Schedule.every(Duration.ofDays(3_000)), new OldMail("again"));
        before.jobs().with(JobOptions.DEFAULT.withLabels("broken")).enqueue(new OldMail("nobody"));

        treadle = Treadle.on(storage)
                .types(JobTypes.of(Payslips.class))
                .handler(Letter.class, (letter, job) -> {
                    throw new GiveUpException("no such address");
                })
                .start();
        Payslips payslips = new Payslips();
        treadle.jobs().schedule(Duration.ofHours(1), new Letter("bob"));
        treadle.jobs().schedule(Duration.ofHours(1), () -> payslips.generate(8));
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> storage.search().counts().getOrDefault(StateName.FAILED, 0L) == 1);
        dashboard = Dashboard.of(treadle)
                .port(0)
                .user("vic", "viewer-password", Role.VIEWER)
                .user("ada", "operator-password", Role.OPERATOR)
                .start();
    }

    @AfterEach
    void close() {
        dashboard.close();
        treadle.close();
    }

    private Http as(String name, String password) {
        return new Http(URI.create(dashboard.uri().toString().replaceFirst("/$", ""))).as(name, password);
    }

    private JsonNode get(Http http, String path) throws IOException {
        return json.readTree(http.get(path).body());
    }

    /** What is shown of the jobs that match, each with what it is stored under. */
    private Map<String, String> found(Http http, String words) throws IOException {
        Map<String, String> found = new TreeMap<>();
        String q = URLEncoder.encode(words, StandardCharsets.UTF_8);
        for (JsonNode job : get(http, "/api/v1/jobs?state=SCHEDULED&q=" + q).get("jobs")) {
            String called = job.get("type").stringValue().replace(HERE, "")
                    + (job.has("method") ? "." + job.get("method").stringValue() : "");
            found.put(
                    job.get("arguments").stringValue(),
                    called
                            + (job.has("storedAs")
                                    ? " as " + job.get("storedAs").stringValue().replace(HERE, "")
                                    : ""));
        }
        return found;
    }

    @Test
    void one_name_shows_and_finds_jobs_that_are_stored_under_several() throws IOException {
        Map<String, String> letters =
                Map.of("{\"to\":\"ann\"}", "Letter as OldMail", "{\"to\":\"bob\"}", "Letter as mail.send");
        Map<String, String> slips =
                Map.of("[7]", "Payslips.generate(int) as OldSlips#make(int)", "[8]", "Payslips.generate(int)");
        for (Http http : List.of(as("vic", "viewer-password"), as("ada", "operator-password"))) {
            assertEquals(4, found(http, "").size());
            assertEquals(letters, found(http, "letter"));
            assertEquals(slips, found(http, "payslips.generate"));
            assertEquals(Map.of(), found(http, "letter payslips"));
            assertEquals(Map.of("{\"to\":\"ann\"}", "Letter as OldMail"), found(http, "letter oldmail"));
            assertEquals(Map.of("{\"to\":\"bob\"}", "Letter as mail.send"), found(http, "mail.send"));
        }
    }

    @Test
    void what_is_done_to_all_that_match_is_done_to_those_under_former_names_too() throws IOException {
        Http ada = as("ada", "operator-password").writing();
        String order = "{\"action\":\"DELETE\",\"state\":\"SCHEDULED\",\"q\":\"letter\",";
        JsonNode count = json.readTree(
                ada.send("POST", "/api/v1/bulk", order + "\"dryRun\":true}").body());
        assertEquals(2, count.get("jobs").intValue());

        ada.send("POST", "/api/v1/bulk", order + "\"expected\":2}");

        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> storage.search().counts().getOrDefault(StateName.SCHEDULED, 0L) == 2);
        assertEquals(2, found(ada, "payslips").size());
    }

    @Test
    void failures_and_recurring_jobs_say_what_is_called_now() throws IOException {
        Http vic = as("vic", "viewer-password");
        JsonNode groups = get(vic, "/api/v1/failures").get("groups");
        assertEquals(1, groups.size());
        assertEquals(HERE + "Letter", groups.get(0).get("target").stringValue());
        JsonNode recurring = get(vic, "/api/v1/recurring?q=letter").get("recurring");
        assertEquals(1, recurring.size());
        assertEquals(HERE + "Letter", recurring.get(0).get("name").stringValue());
        assertTrue(get(vic, "/api/v1/recurring?q=oldmail").get("recurring").isEmpty());
    }
}
