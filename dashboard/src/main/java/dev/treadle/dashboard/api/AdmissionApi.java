package dev.treadle.dashboard.api;

import dev.treadle.dashboard.web.Json;
import dev.treadle.job.ResourceUse;
import dev.treadle.server.ConcurrencyLimit;
import dev.treadle.server.JobServer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How many jobs the server of this process admits at once, and how its resources stand. */
final class AdmissionApi {
    private final @Nullable JobServer server;
    private final Json json;

    AdmissionApi(@Nullable JobServer server, Json json) {
        this.server = server;
        this.json = json;
    }

    List<Route> routes() {
        return List.of(Route.get("/api/v1/admission", call -> json.ok(look())));
    }

    /** @param admitted null if this process runs no jobs */
    record Admission(@Nullable ConcurrencyLimit admitted, List<ResourceUse> resources) {}

    private Admission look() {
        return server == null ? new Admission(null, List.of()) : new Admission(server.admitted(), server.resources());
    }
}
