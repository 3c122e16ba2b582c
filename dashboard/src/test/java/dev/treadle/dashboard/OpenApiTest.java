package dev.treadle.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.dashboard.Http.Answer;
import dev.treadle.job.GateId;
import dev.treadle.job.StateName;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The description of the API says what the routes do, no more and no less. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenApiTest {
    private final JsonMapper json = new JsonMapper();
    private Office office;
    private JsonNode api;
    private GateId gate;

    @BeforeAll
    void begin() throws IOException {
        office = Office.open(new InMemoryStorageProvider()).fill();
        gate = Payroll.slips(Payroll.waiting(office, 5));
        api = json.readTree(http().get("/api/v1/openapi.json").body());
    }

    @AfterAll
    void end() {
        office.close();
    }

    @Test
    void every_route_is_described_with_its_role_and_nothing_else_is() {
        Set<String> described = new TreeSet<>();
        api.get("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .properties()
                        .forEach(operation -> described.add(
                                operation.getKey().toUpperCase(java.util.Locale.ROOT) + " " + path.getKey() + " "
                                        + operation.getValue().get("x-role").stringValue())));
        Set<String> there = new TreeSet<>();
        office.dashboard.site().site().routes().stream()
                .filter(route ->
                        route.pattern().startsWith("/api/") || route.pattern().startsWith("/health"))
                .forEach(route -> there.add(route.method() + " " + route.pattern() + " " + route.role()));

        assertEquals(there, described);
    }

    @Test
    void answers_have_the_described_shape_and_no_field_that_is_not_described() throws IOException {
        List<String> wrong = new ArrayList<>();
        int looked = 0;
        for (var path : api.get("paths").properties()) {
            JsonNode get = path.getValue().get("get");
            if (get == null
                    || path.getKey().endsWith("/events")
                    || path.getKey().contains("/operations/")) {
                continue;
            }
            for (StateName state :
                    List.of(StateName.FAILED, StateName.SUCCEEDED, StateName.PROCESSING, StateName.SCHEDULED)) {
                String id = path.getKey().contains("/servers/")
                        ? Long.toString(office.treadle
                                .server()
                                .orElseThrow()
                                .self()
                                .id()
                                .value())
                        : path.getKey().contains("/gates/")
                                ? gate.toString()
                                : office.one(state).toString();
                String asked = path.getKey().replace("{id}", id);
                Answer answer = http().get(asked);
                assertEquals(200, answer.status(), asked);
                JsonNode schema = get.get("responses")
                        .get("200")
                        .get("content")
                        .get("application/json")
                        .get("schema");
                wrong.addAll(new Schemas(api).wrong(json.readTree(answer.body()), schema, asked));
                looked++;
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(looked > 30, "looked at too little: " + looked);
    }

    @Test
    void errors_have_the_described_shape() throws IOException {
        List<String> wrong = new ArrayList<>();
        JsonNode problem = api.get("components").get("schemas").get("Problem");
        for (String path : List.of("/nowhere", "/api/v1/jobs?limit=x", "/api/v1/jobs/x")) {
            wrong.addAll(new Schemas(api).wrong(json.readTree(http().get(path).body()), problem, path));
        }
        assertEquals(List.of(), wrong);
    }

    private Http http() {
        return new Http(URI.create(office.url()));
    }
}
