package dev.treadle.dispatch;

import dev.treadle.job.Lane;
import dev.treadle.lifecycle.Transition;
import dev.treadle.outcome.Outcome;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The lines of a node by their queues: those that were set, and one for each other queue that turns up. Thread-safe. */
public final class LocalQueues {
    private static final String OUT_OF_MEMORY = OutOfMemoryError.class.getName();

    private final WorkerPool usual;
    private final Set<WorkerPool> crews = new LinkedHashSet<>();
    private final Map<String, LocalQueue> lines = new ConcurrentHashMap<>();
    private final AtomicLong ranOut = new AtomicLong();
    private final InstantSource time;

    /** @param usual runs the jobs of queues without settings of their own */
    public LocalQueues(WorkerPool usual, List<QueueConfig> settings, InstantSource time) {
        this.usual = usual;
        this.time = time;
        crews.add(usual);
        for (QueueConfig one : settings) {
            crews.add(one.crew());
            add(one);
        }
    }

    private LocalQueue add(QueueConfig settings) {
        return lines.computeIfAbsent(settings.queue(), unseen -> {
            LocalQueue line = new LocalQueue(settings, time);
            settings.crew().add(line);
            return line;
        });
    }

    InstantSource time() {
        return time;
    }

    LocalQueue of(String queue) {
        LocalQueue line = lines.get(queue);
        return line != null ? line : add(new QueueConfig(queue, null, 1, usual));
    }

    Collection<WorkerPool> crews() {
        return crews;
    }

    Collection<LocalQueue> all() {
        return lines.values();
    }

    /** Lets so many jobs run at once in all, shared out by what the executors could run, and one on each at least. */
    void limitTo(int jobs) {
        long total = crews.stream().mapToInt(crew -> crew.permits().total()).sum();
        crews.forEach(crew -> {
            Permits permits = crew.permits();
            permits.limitTo((int) ((jobs * (long) permits.total() + total - 1) / total));
        });
    }

    /** A job of a line has ended so. */
    void endedOne(LocalQueue line, Outcome outcome) {
        line.endedOne();
        if (outcome instanceof Outcome.Threw threw && threw.failure().type().equals(OUT_OF_MEMORY)) {
            ranOut.incrementAndGet();
        }
    }

    /** How many jobs have ended here with an OutOfMemoryError. */
    public long ranOut() {
        return ranOut.get();
    }

    /** How many jobs have ended here. */
    public long ended() {
        return lines.values().stream().mapToLong(LocalQueue::ended).sum();
    }

    /** Whether claimed jobs wait for a permit. */
    public boolean isAnyWaiting() {
        return lines.values().stream().anyMatch(line -> !line.waiting().isEmpty());
    }

    /** How many more jobs of a lane could be claimed; of any if null. */
    int room(@Nullable Lane lane) {
        if (lane == null) {
            return crews.stream().mapToInt(crew -> Math.max(0, crew.room())).sum();
        }
        LocalQueue line = of(lane.queue());
        return line.room(line.crew().room());
    }

    boolean isAnyRoom() {
        return crews.stream().anyMatch(crew -> crew.room() > 0);
    }

    /** How many jobs could run at once. */
    public int total() {
        return crews.stream().mapToInt(crew -> crew.permits().total()).sum();
    }

    /** An attempt that ran here has ended so, and that is written down. */
    public void count(Transition ending) {
        of(ending.lease().job().traits().queue()).count(ending);
    }

    /** How each queue stands that this node has had a job of, or that was set. */
    public List<QueueStats> states() {
        return lines.values().stream().map(LocalQueue::state).toList();
    }

    /** How each executor is used, the usual one first. */
    public List<WorkerPoolStats> crewStates() {
        return crews.stream().map(WorkerPool::state).toList();
    }

    /** How many jobs run now. */
    public int running() {
        return crews.stream().mapToInt(WorkerPool::running).sum();
    }
}
