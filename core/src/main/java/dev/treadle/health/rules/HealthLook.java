package dev.treadle.health.rules;

import dev.treadle.health.rules.HealthFacts.Recent;
import dev.treadle.job.StateName;
import dev.treadle.storage.NodeMinute;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.admin.AdminStorage;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Asks a storage once for all that a verdict needs: six short questions that take as long with many jobs as with few, and
 * one more each while a queue is paused or jobs fail. Thread-safe.
 */
public final class HealthLook {
    private static final Duration RECENT = Duration.ofMinutes(5);
    private static final Duration GONE_WITHIN = Duration.ofHours(1);

    private final StorageProvider storage;
    private final InstantSource time;

    /** @param time the wall clock, or in a test that of the storage */
    public HealthLook(StorageProvider storage, InstantSource time) {
        this.storage = storage;
        this.time = time;
    }

    /**
     * Looks once.
     *
     * @param serverStopped whether this process has a server that has stopped
     * @throws StorageException if the storage does not answer
     */
    public HealthFacts facts(boolean serverStopped) {
        HealthFacts.Self self = HealthFacts.Self.ofThisJvm(serverStopped);
        return storage instanceof AdminStorage admin ? all(admin, self) : little(self);
    }

    private HealthFacts all(AdminStorage admin, HealthFacts.Self self) {
        Map<StateName, Long> counts = new EnumMap<>(StateName.class);
        counts.putAll(admin.search().counts());
        return new HealthFacts(
                null,
                counts,
                admin.search().longestWait(),
                admin.search().nodes(GONE_WITHIN),
                recent(admin),
                // a new one each time: what it remembers is of use to those who look every second
                new OperatorOverrides(admin, time).look(true),
                self);
    }

    /** Of a storage that does not answer operators, whether it answers at all. */
    private HealthFacts little(HealthFacts.Self self) {
        storage.beats();
        return new HealthFacts(null, Map.of(), null, null, Recent.NOTHING, OperatorOverrides.Standing.NONE, self);
    }

    private Recent recent(AdminStorage admin) {
        List<NodeMinute> minutes = admin.minutes().together(time.instant().minus(RECENT));
        Recent recent = new Recent(
                minutes.stream().mapToLong(NodeMinute::succeeded).sum(),
                minutes.stream().mapToLong(NodeMinute::failed).sum(),
                List.of());
        return HealthRules.isFailing(recent)
                ? new Recent(recent.succeeded(), recent.failed(), admin.search().failures())
                : recent;
    }
}
