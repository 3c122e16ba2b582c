package dev.treadle.dashboard.api;

import dev.treadle.dashboard.web.Json;
import dev.treadle.job.ResourceUse;
import dev.treadle.server.ConcurrencyLimit;
import dev.treadle.server.JobServer;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How many jobs the server of this process admits at once, and how its resources stand. */
final class AdmissionApi {
    private final Supplier<Optional<JobServer>> server;
    private final Json json;

    AdmissionApi(Supplier<Optional<JobServer>> server, Json json) {
        this.server = server;
        this.json = json;
    }

    List<Route> routes() {
        return List.of(Route.get("/api/v1/admission", call -> json.ok(look())));
    }

    /** @param admitted null if this process runs no jobs */
    record Admission(@Nullable ConcurrencyLimit admitted, List<ResourceUse> resources) {}

    private Admission look() {
        return server.get()
                .map(own -> new Admission(own.admitted(), own.resources()))
                .orElseGet(() -> new Admission(null, List.of()));
    }
}
