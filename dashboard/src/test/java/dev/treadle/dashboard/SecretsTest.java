package dev.treadle.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.acme.Mailer;
import dev.treadle.Treadle;
import dev.treadle.api.JobOptions;
import dev.treadle.dashboard.guard.Role;
import dev.treadle.job.GiveUpException;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.KeyRule;
import dev.treadle.job.Secret;
import dev.treadle.job.StateName;
import dev.treadle.schedule.Schedule;
import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.json.JsonMapper;

/** A value that the code of a job marks is shown nowhere of that job, to nobody, and cannot be found by searching. */
@Timeout(120)
class SecretsTest {
    private static final String SECRET = "Zebra-4711-Canary";

    record Pay(long employee, @Secret String account) implements JobRequest<List<String>> {}

    record Fail(String filler, @Secret String account) implements JobRequest<Void> {}

    private final AdminStorage storage = SqlStorageProvider.h2Memory("secrets" + UUID.randomUUID());
    private final Mailer mailer = new Mailer();
    private Treadle treadle;
    private Dashboard dashboard;

    @BeforeEach
    void begin() {
        treadle = Treadle.on(storage)
                .resultHandler(Pay.class, (pay, job) -> {
                    job.log("paying to " + pay.account());
                    job.meta("account is", pay.account());
                    return List.of(pay.account(), "to " + pay.account());
                })
                .handler(Fail.class, (fail, job) -> {
                    throw new GiveUpException(
                            "No such account " + fail.account(),
                            new IllegalStateException("<account>" + fail.account() + "</account>"));
                })
                .start();
        dashboard = Dashboard.of(treadle)
                .port(0)
                .user("vic", "viewer-password", Role.VIEWER)
                .user("ada", "admin-password", Role.ADMIN)
                .start();
    }

    @AfterEach
    void end() {
        dashboard.close();
        treadle.close();
    }

    @Test
    void it_stands_in_no_answer_about_its_job() throws IOException {
        JobOptions told = JobOptions.DEFAULT
                .withName("pay to " + SECRET)
                .withLabels("vip", SECRET)
                .withHeader("account", SECRET)
                .withKey(KeyRule.mailbox("account " + SECRET));
        JobId pay = treadle.jobs().with(told).enqueue(new Pay(7, SECRET));
        JobId fail = treadle.jobs().with(told).enqueue(new Fail("x", SECRET));
        JobId behind = treadle.jobs().with(told).enqueue(new Fail("x".repeat(400), SECRET));
        JobId mail = treadle.jobs().enqueue(() -> mailer.send("bob", SECRET));
        treadle.jobs()
                .with(JobOptions.DEFAULT.withName("nightly " + SECRET + " password=" + SECRET.substring(0, 6)))
                .recurring("nightly", Schedule.cron("0 2 1 1 *"), new Pay(8, SECRET));
        Awaitility.await()
                .until(() -> storage.search().counts().getOrDefault(StateName.FAILED, 0L) == 3
                        && storage.search().counts().getOrDefault(StateName.SUCCEEDED, 0L) == 1);
        dashboard.look();
        for (String user : List.of("vic", "ada")) {
            for (String path : List.of(
                    "/api/v1/jobs",
                    "/api/v1/jobs?state=FAILED",
                    "/api/v1/jobs/" + pay,
                    "/api/v1/jobs/" + fail,
                    "/api/v1/jobs/" + behind,
                    "/api/v1/jobs/" + mail,
                    "/api/v1/jobs/" + pay + "/notes",
                    "/api/v1/failures",
                    "/api/v1/overview",
                    "/api/v1/problems",
                    "/api/v1/recurring")) {
                Http.Answer answer = http(user).get(path);
                assertEquals(200, answer.status(), path);
                assertFalse(answer.body().contains("Zebra"), path + answer.body());
                assertTrue(path.endsWith("problems") || answer.body().contains("•••"), path + answer.body());
            }
        }
        String story = http("vic").get("/api/v1/jobs/" + fail).body();
        assertTrue(story.contains("No such account •••") && story.contains("<account>•••</account>"), story);
        assertTrue(http("vic").get("/api/v1/jobs/" + mail).body().contains("could not send ••• to bob"));
        assertTrue(http("vic").get("/api/v1/jobs/" + pay + "/notes").body().contains("paying to •••"));
    }

    @Test
    void who_may_not_search_arguments_finds_by_what_is_shown_and_by_nothing_else() throws IOException {
        treadle.jobs()
                .with(JobOptions.DEFAULT.withName("login password=" + SECRET).withLabels("vip", SECRET))
                .enqueue(new Pay(7, "another-account"));
        treadle.jobs()
                .with(JobOptions.DEFAULT.withName("transfer another-account").withLabels("another-account"))
                .enqueue(new Pay(7, "another-account"));
        Awaitility.await().until(() -> storage.search().counts().getOrDefault(StateName.SUCCEEDED, 0L) == 2);
        Map<String, Integer> wanted = Map.of(
                "login",
                1,
                "LOGIN+pay",
                1,
                "password",
                1,
                "password=z",
                0,
                "Zebra",
                0,
                "transfer",
                1,
                "another",
                0,
                "label:another-account",
                0,
                "label:vip",
                1);
        for (Map.Entry<String, Integer> one : wanted.entrySet()) {
            assertEquals(one.getValue(), found("vic", one.getKey()), one.getKey());
        }
        assertEquals(1, found("ada", "Zebra"));
        assertEquals(1, found("ada", "another"));
    }

    private int found(String user, String words) throws IOException {
        Http.Answer answer = http(user).get("/api/v1/jobs?q=" + words);
        assertEquals(200, answer.status(), answer.body());
        return new JsonMapper().readTree(answer.body()).get("jobs").size();
    }

    private Http http(String user) {
        Http http = new Http(URI.create(dashboard.uri().toString().replaceAll("/$", "")));
        return http.as(user, user.equals("vic") ? "viewer-password" : "admin-password");
    }
}
