package dev.treadle.health.rules;

import dev.treadle.job.QueueState;
import dev.treadle.lifecycle.StopRequest;
import dev.treadle.storage.PendingWork.LaneState;
import dev.treadle.storage.admin.AdminStorage;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What operators decided that still has its effect: queues that are paused, and runs that were told to end. For one thread. */
public final class OperatorOverrides {
    private final AdminStorage storage;
    private final InstantSource time;
    private Set<String> paused = Set.of();
    /** Every queue, as it was when one was paused; empty if none is. */
    private List<QueueState> states = List.of();

    /** @param time the wall clock, or in a test that of the storage */
    public OperatorOverrides(AdminStorage storage, InstantSource time) {
        this.storage = storage;
        this.time = time;
    }

    /**
     * How these decisions stand.
     *
     * @param paused          queues that are paused
     * @param oldestElsewhere how long the oldest job waits in the other queues, looked at only while some are paused
     * @param queues          how many there are
     * @param stubborn        runs that lost their lease and have not ended
     */
    public record Standing(
            List<Paused> paused, @Nullable Duration oldestElsewhere, List<StopRequest> stubborn, int queues) {
        /** Nothing was decided. */
        public static final Standing NONE = new Standing(List.of(), null, List.of(), 0);
    }

    /**
     * A queue that is paused.
     *
     * @param queue    its name
     * @param waiting  how many jobs wait in it
     * @param by       who paused it
     * @param why      the reason; null if none was given
     * @param howLong  for how long it has been paused
     * @param goesOnIn when it goes on by itself; null if it does not
     */
    public record Paused(
            String queue,
            int waiting,
            String by,
            @Nullable String why,
            Duration howLong,
            @Nullable Duration goesOnIn) {}

    /**
     * Looks once.
     *
     * @param again whether what waits is to be counted again, which costs more than finding what is paused
     */
    public Standing look(boolean again) {
        List<StopRequest> stubborn = storage.runs().stillRunning();
        List<LaneState> lanes = storage.queues().lanes();
        Set<String> now = lanes.stream()
                .filter(LaneState::paused)
                .map(lane -> lane.lane().queue())
                .collect(Collectors.toSet());
        if (now.isEmpty()) {
            states = List.of();
        } else if (again || !now.equals(paused)) {
            states = storage.queues().states();
        }
        paused = now;
        return new Standing(
                states.stream().map(this::pausedOf).filter(Objects::nonNull).toList(),
                states.stream()
                        .filter(state -> state.pause() == null)
                        .map(QueueState::oldestWaits)
                        .filter(Objects::nonNull)
                        .max(Duration::compareTo)
                        .orElse(null),
                stubborn,
                (int) lanes.stream().map(lane -> lane.lane().queue()).distinct().count());
    }

    private @Nullable Paused pausedOf(QueueState state) {
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
