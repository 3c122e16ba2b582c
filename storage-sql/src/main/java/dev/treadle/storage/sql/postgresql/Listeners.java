package dev.treadle.storage.sql.postgresql;

import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.storage.DueListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The nodes of this process that want notifications, and what each one means to them. Thread-safe. */
public final class Listeners {
    /** After so long the second node looks whether the first has taken the jobs, in milliseconds. */
    static final long SECOND_MILLIS = 120;
    /** So long those nodes spread their looks that are all told, in milliseconds. */
    static final int ALL_MILLIS = 40;

    private final List<Listening> all = new CopyOnWriteArrayList<>();
    private final IntFunction<@Nullable Lane> lanes;
    private final Consumer<NotifyPayload> passOn;

    private record Listening(NodeId node, DueListener told) {}

    /**
     * @param lanes  the lane of a number; null if it is not known here
     * @param passOn tells others of jobs for which a node that was to take them has no room
     */
    Listeners(IntFunction<@Nullable Lane> lanes, Consumer<NotifyPayload> passOn) {
        this.lanes = lanes;
        this.passOn = passOn;
    }

    Runnable add(NodeId node, DueListener listener) {
        Listening listening = new Listening(node, listener);
        all.add(listening);
        return () -> all.remove(listening);
    }

    void each(Consumer<DueListener> work) {
        all.forEach(listening -> work.accept(listening.told));
    }

    /** Whether one of these could take a job now. */
    boolean isRoomFor(@Nullable Lane lane) {
        return all.stream().anyMatch(listening -> listening.told.room(lane) > 0);
    }

    /**
     * Tells as many of these as it takes.
     *
     * @return for how many jobs there is no room here
     */
    int due(@Nullable Lane lane, int jobs) {
        int left = jobs;
        int from = all.isEmpty() ? 0 : ThreadLocalRandom.current().nextInt(all.size());
        List<Listening> now = List.copyOf(all);
        for (int i = 0; i < now.size(); i++) {
            DueListener told = now.get((from + i) % now.size()).told;
            int room = told.room(lane);
            if (room <= 0 || left > 0) {
                // those without room look when they have some
                told.due(lane, DueListener.ANY_NUMBER);
                left -= Math.max(0, room);
            }
        }
        return Math.max(0, left);
    }

    /** Another process rang. */
    void heard(NotifyPayload ring) {
        Integer number = ring.lane();
        Lane lane = number == null ? null : lanes.apply(number);
        for (Listening listening : all) {
            String node = Long.toString(listening.node.value());
            if (ring.isToAll()) {
                toAll(ring, listening.told, lane);
            } else if (ring.takers().containsKey(node)) {
                take(ring, ring.share(node), listening.told, lane);
            } else if (ring.second().equals(node)) {
                second(ring, listening.told);
            }
        }
    }

    private static void toAll(NotifyPayload ring, DueListener told, @Nullable Lane lane) {
        if (ring.kind() == NotifyPayload.Kind.CHANGED) {
            told.lookWithin(Duration.ZERO);
        } else if (told.room(lane) > 0) {
            told.lookWithin(Duration.ofMillis(ThreadLocalRandom.current().nextInt(ALL_MILLIS)));
        } else {
            told.due(lane, DueListener.ANY_NUMBER);
        }
    }

    private void take(NotifyPayload ring, int share, DueListener told, @Nullable Lane lane) {
        if (ring.kind() == NotifyPayload.Kind.SOON) {
            told.dueIn(Duration.ofMillis(ring.number()));
        } else {
            int room = told.room(lane);
            told.due(lane, share);
            if (room < (share == DueListener.ANY_NUMBER ? 1 : share)) {
                passOn.accept(ring);
            }
        }
    }

    private static void second(NotifyPayload ring, DueListener told) {
        long millis = ring.kind() == NotifyPayload.Kind.SOON ? ring.number() : 0;
        told.lookWithin(Duration.ofMillis(millis + SECOND_MILLIS));
    }
}
