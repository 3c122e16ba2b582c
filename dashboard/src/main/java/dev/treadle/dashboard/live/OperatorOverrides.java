package dev.treadle.dashboard.live;

import dev.treadle.storage.QueueStorage.LaneState;
import dev.treadle.storage.QueueStorage.QueueState;
import dev.treadle.storage.StopRequest;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What people wished that still has its effect: queues that rest, and runs that were told to end. For one thread. */
final class OperatorOverrides {
    private final StorageProvider storage;
    private final InstantSource time;
    private Set<String> resting = Set.of();
    /** Every queue, as it was when something rested; empty if nothing rests. */
    private List<QueueState> states = List.of();

    OperatorOverrides(StorageProvider storage, InstantSource time) {
        this.storage = storage;
        this.time = time;
    }

    /**
     * How the wishes stand.
     *
     * @param paused          queues that rest
     * @param oldestElsewhere how long the oldest job waits in the other queues, looked at only while some rest
     * @param queues          how many there are
     * @param stubborn        runs that lost their lease and have not ended
     */
    record Standing(List<Paused> paused, @Nullable Duration oldestElsewhere, List<StopRequest> stubborn, int queues) {
        static final Standing NONE = new Standing(List.of(), null, List.of(), 0);
    }

    /**
     * A queue that rests.
     *
     * @param howLong  for how long it has rested
     * @param goesOnIn when it goes on by itself; null if it does not
     */
    record Paused(
            String queue,
            int waiting,
            String by,
            @Nullable String why,
            Duration howLong,
            @Nullable Duration goesOnIn) {}

    /** @param again whether what waits is to be counted again, which costs more than finding what rests */
    Standing look(boolean again) {
        List<StopRequest> stubborn = storage.runs().stillRunning();
        List<LaneState> lanes = storage.queues().lanes();
        Set<String> now = lanes.stream()
                .filter(LaneState::paused)
                .map(lane -> lane.lane().queue())
                .collect(Collectors.toSet());
        if (now.isEmpty()) {
            states = List.of();
        } else if (again || !now.equals(resting)) {
            states = storage.queues().states();
        }
        resting = now;
        return new Standing(
                states.stream().map(this::paused).filter(Objects::nonNull).toList(),
                states.stream()
                        .filter(state -> state.pause() == null)
                        .map(QueueState::oldestWaits)
                        .filter(Objects::nonNull)
                        .max(Duration::compareTo)
                        .orElse(null),
                stubborn,
                (int) lanes.stream().map(lane -> lane.lane().queue()).distinct().count());
    }

    private @Nullable Paused paused(QueueState state) {
        var pause = state.pause();
        return pause == null
                ? null
                : new Paused(
                        state.queue(),
                        state.waiting(),
                        pause.by(),
                        pause.why(),
                        since(pause.since()),
                        pause.until() == null ? null : since(pause.until()).negated());
    }

    private Duration since(java.time.Instant then) {
        return Duration.between(then, time.instant());
    }
}
