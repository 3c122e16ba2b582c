package dev.treadle.storage.memory;

import dev.treadle.job.Due;
import dev.treadle.job.Lane;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.QueueState;
import dev.treadle.job.QueueState.Pause;
import dev.treadle.storage.PendingWork.Head;
import dev.treadle.storage.PendingWork.LaneState;
import dev.treadle.storage.admin.QueueStorage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Queues in memory: what waits in the tables, and the pauses. */
final class MemoryQueues implements QueueStorage {
    private final MemoryTables tables;
    private final MemoryOperators operators;
    private final ReentrantLock lock;
    private final InstantSource time;
    /** By queue, those that are over among them. Guarded by {@link #lock}. */
    private final Map<String, Pause> pauses = new TreeMap<>();

    MemoryQueues(MemoryTables tables, MemoryOperators operators, ReentrantLock lock, InstantSource time) {
        this.operators = operators;
        this.tables = tables;
        this.lock = lock;
        this.time = time;
    }

    @Override
    public List<LaneState> lanes() {
        return locked(() -> tables.lanes().stream()
                .map(lane -> new LaneState(lane, pauseOf(lane.queue()) != null))
                .toList());
    }

    /** The first job in each lane that has one which may run now. */
    List<Head> heads() {
        return locked(() -> tables.lanes().stream()
                .filter(lane -> pauseOf(lane.queue()) == null)
                .flatMap(lane -> tables.waiting(lane).limit(1))
                .toList());
    }

    @Override
    public void pause(String queue, OperatorNote note, @Nullable Due until, @Nullable OperatorAct act) {
        locked(() -> {
            if (act != null) {
                operators.note(act, 0);
            }
            tables.know(new Lane(queue, Set.of()));
            Instant now = time.instant();
            Instant end = until == null ? null : until.from(now);
            return pauses.put(queue, new Pause(now, note.by(), note.why(), end));
        });
    }

    @Override
    public boolean resume(String queue, OperatorNote note, @Nullable OperatorAct act) {
        return locked(() -> {
            boolean paused = pauseOf(queue) != null;
            pauses.remove(queue);
            if (paused && act != null) {
                operators.note(act, 0);
            }
            return paused;
        });
    }

    @Override
    public List<QueueState> states() {
        return locked(() -> {
            TreeSet<String> names = new TreeSet<>(pauses.keySet());
            tables.lanes().forEach(lane -> names.add(lane.queue()));
            return names.stream().map(this::state).toList();
        });
    }

    private QueueState state(String queue) {
        List<Head> waiting = new ArrayList<>();
        tables.lanes().stream()
                .filter(lane -> lane.queue().equals(queue))
                .forEach(lane ->
                        tables.waiting(lane).limit(QueueState.COUNTED_MAX).forEach(waiting::add));
        Duration oldest = waiting.stream()
                .map(Head::dueSince)
                .min(Comparator.naturalOrder())
                .map(since -> Duration.between(since, time.instant()))
                .orElse(null);
        return new QueueState(queue, waiting.size(), oldest, pauseOf(queue));
    }

    /** The pause that holds; null if none does. */
    private @Nullable Pause pauseOf(String queue) {
        Pause pause = pauses.get(queue);
        return pause == null || pause.until() != null && !pause.until().isAfter(time.instant()) ? null : pause;
    }

    private <T extends @Nullable Object> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}
