package dev.treadle.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.dashboard.Http.Answer;
import dev.treadle.job.StateName;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import dev.treadle.storage.sql.SqlStorageProvider;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A client that knows the API's description alone, and sends what that allows and what it does not, from a seed:
 * nothing it sends makes the server fail, every answer is as described, and every refusal is one by RFC 9457.
 */
@Timeout(600)
class ApiPropertyTest {
    private static final int REQUESTS = Integer.getInteger("treadle.requests", 700);
    /** The same in every build, which shall not fail by chance: -Dtreadle.seed=… goes elsewhere. */
    private static final long SEED = 20_261_121;

    private static final double WILD = 0.2;

    private final JsonMapper json = new JsonMapper();

    @Test
    void in_memory() throws IOException {
        ask(new InMemoryStorageProvider());
    }

    @Test
    void on_h2() throws IOException {
        try (StorageProvider storage = SqlStorageProvider.h2Memory("property" + UUID.randomUUID())) {
            ask(storage);
        }
    }

    @Test
    void on_postgresql() throws IOException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                        .setPGStartupWait(Duration.ofMinutes(2))
                        .start();
                StorageProvider storage =
                        SqlStorageProvider.open(postgres.getJdbcUrl("postgres", "postgres"), "postgres", "")) {
            ask(storage);
        }
    }

    private void ask(StorageProvider storage) throws IOException {
        long seed = Long.getLong("treadle.seed", SEED);
        try (Office office = Office.open(storage).fill()) {
            office.restQueues();
            JsonNode api =
                    json.readTree(http(office).get("/api/v1/openapi.json").body());
            Client client = new Client(office, api, new Random(seed));
            for (int i = 0; i < REQUESTS; i++) {
                client.turn();
            }
            assertEquals(List.of(), client.wrong, "seed " + seed + ": again with -Dtreadle.seed=" + seed);
            assertTrue(client.statuses.getOrDefault(200, 0) > REQUESTS / 4, client.statuses::toString);
            assertTrue(client.statuses.getOrDefault(400, 0) > REQUESTS / 50, client.statuses::toString);
            assertTrue(client.statuses.getOrDefault(404, 0) > REQUESTS / 50, client.statuses::toString);
        }
    }

    private static Http http(Office office) {
        return new Http(URI.create(office.url()));
    }

    private final class Client {
        private final Office office;
        private final Random dice;
        private final Schemas schemas;
        private final List<Operation> operations = new ArrayList<>();
        private final Http http;
        private final List<String> wrong = new ArrayList<>();
        private final Map<Integer, Integer> statuses = new TreeMap<>();

        Client(Office office, JsonNode api, Random dice) {
            this.office = office;
            this.dice = dice;
            this.schemas = new Schemas(api);
            this.http = http(office).writing();
            api.get("paths")
                    .properties()
                    .forEach(path -> path.getValue()
                            .properties()
                            .forEach(method ->
                                    operations.add(new Operation(method.getKey(), path.getKey(), method.getValue()))));
            // it never ends
            operations.removeIf(operation -> operation.path.endsWith("/events"));
        }

        void turn() throws IOException {
            Operation operation = operations.get(dice.nextInt(operations.size()));
            String path = operation.path;
            Map<String, String> query = new LinkedHashMap<>();
            if (operation.described.has("parameters")) {
                for (JsonNode parameter : operation.described.get("parameters")) {
                    String name = parameter.get("name").stringValue();
                    String value = text(schemas.some(parameter.get("schema"), dice, words(), WILD));
                    if (parameter.get("in").stringValue().equals("path")) {
                        path = path.replace("{" + name + "}", encoded(dice.nextDouble() < 0.7 ? id() : value));
                    } else if (dice.nextBoolean()) {
                        query.put(name, value);
                    }
                }
            }
            StringBuilder asked = new StringBuilder(path);
            query.forEach((name, value) -> asked.append(asked.indexOf("?") < 0 ? '?' : '&')
                    .append(name)
                    .append('=')
                    .append(encoded(value)));
            String body = operation.described.has("requestBody") ? body(operation) : "";
            send(operation, asked.toString(), body);
        }

        private String body(Operation operation) {
            JsonNode schema = operation
                    .described
                    .get("requestBody")
                    .get("content")
                    .get("application/json")
                    .get("schema");
            String whole = schemas.some(schema, dice, words(), WILD).toString();
            return dice.nextInt(12) == 0 ? whole.substring(0, dice.nextInt(whole.length() + 1)) : whole;
        }

        private void send(Operation operation, String asked, String body) throws IOException {
            String where = operation.method + " " + asked + " " + body;
            Answer answer = http.send(operation.method.toUpperCase(java.util.Locale.ROOT), asked, body);
            statuses.merge(answer.status(), 1, Integer::sum);
            JsonNode responses = operation.described.get("responses");
            JsonNode described = responses.get(Integer.toString(answer.status()));
            if (answer.status() >= 500 && described == null && !answer.body().contains("\"code\":\"busy\"")) {
                wrong.add(where + " made it fail: " + answer.body());
            } else if (answer.status() == 204) {
                if (described == null || !answer.body().isEmpty()) {
                    wrong.add(where + " answers nothing and should not");
                }
            } else if (described != null) {
                JsonNode content = described.get("content").get("application/json");
                if (content.has("schema")) {
                    wrong.addAll(schemas.wrong(json.readTree(answer.body()), content.get("schema"), where));
                }
            } else {
                if (!"application/problem+json".equals(answer.headers().get("content-type"))) {
                    wrong.add(where + " is refused as " + answer.headers().get("content-type") + answer.status());
                    return;
                }
                JsonNode problem = json.readTree(answer.body());
                wrong.addAll(schemas.wrong(problem, schemas.named("Problem"), where));
                if (problem.get("status").intValue() != answer.status()) {
                    wrong.add(where + " is refused with another status than it says");
                }
            }
        }

        /** Mostly ids that mean something here. */
        private String id() {
            StateName state = StateName.values()[dice.nextInt(StateName.values().length)];
            var lines = office.storage
                    .search()
                    .list(dev.treadle.storage.admin.JobQuery.in(state), null, 5)
                    .lines();
            return lines.isEmpty() || dice.nextInt(6) == 0
                    ? Long.toString(
                            office.treadle.server().orElseThrow().self().id().value())
                    : lines.get(dice.nextInt(lines.size())).job().id().toString();
        }

        private List<String> words() {
            return List.of(
                    "nightly",
                    "mail",
                    "default",
                    "FAILED",
                    "RUN_AGAIN",
                    "TRIGGER",
                    "RESCHEDULE",
                    "0 3 * * *",
                    "every 5 minutes",
                    "1h",
                    "2026-01-31T12:00:00Z",
                    "label:vip",
                    "arg:\"a b\" error:boom queue:mail since:30m",
                    "state:failed type:Break",
                    "1-2",
                    "",
                    " ",
                    "%",
                    "' or 1=1 --",
                    "\u0000",
                    "\uD800",
                    "../../etc",
                    "MCAxOTcwLTAxLTAxVDAwOjAwOjAwWiAwMDAwMDAwMC0wMDAwLTAwMDAtMDAwMC0wMDAwMDAwMDAwMDA",
                    "-9999999999",
                    Schemas.noise(dice));
        }

        private String text(JsonNode value) {
            return value.isString() ? value.stringValue() : value.toString();
        }

        private String encoded(String text) {
            return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
        }
    }

    /** One thing that the description says can be asked. */
    private record Operation(String method, String path, JsonNode described) {}
}
