package dev.treadle.spring.boot;

import dev.treadle.Treadle;
import dev.treadle.server.JobServer;
import dev.treadle.storage.NodeInfo;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/** Where the jobs are kept, and the server of this process; what does not change while it runs. */
final class TreadleInfoContributor implements InfoContributor {
    private final Treadle treadle;

    TreadleInfoContributor(Treadle treadle) {
        this.treadle = treadle;
    }

    @Override
    public void contribute(Info.Builder builder) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("storage", treadle.storage().description());
        treadle.server().ifPresent(server -> all.put("server", server(server)));
        builder.withDetail("treadle", all);
    }

    private static Map<String, Object> server(JobServer server) {
        NodeInfo self = server.self();
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("name", self.name());
        // why as text: it is longer than the numbers of JavaScript
        all.put("id", Long.toString(self.id().value()));
        all.put("state", server.state().name().toLowerCase(java.util.Locale.ROOT));
        all.put("executor", self.executor());
        all.put("workers", self.workers());
        return all;
    }
}
