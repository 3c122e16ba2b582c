package dev.treadle.storage.sql;

import dev.treadle.job.Lane;
import dev.treadle.storage.DueListener;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A node that counts what it is told. */
public final class Heard implements DueListener {
    private final AtomicInteger all;
    final AtomicInteger due = new AtomicInteger();
    final AtomicInteger soon = new AtomicInteger();
    final AtomicInteger looks = new AtomicInteger();
    /** For how many jobs it was told each time. */
    public final Queue<Integer> shares = new ConcurrentLinkedQueue<>();
    /** Within what time it was to look each time. */
    public final Queue<Duration> rests = new ConcurrentLinkedQueue<>();

    volatile int room = 16;

    /** @param all counts whatever it is told */
    public Heard(AtomicInteger all) {
        this.all = all;
    }

    @Override
    public int room(@Nullable Lane lane) {
        return room;
    }

    @Override
    public void due(@Nullable Lane lane, int jobs) {
        due.incrementAndGet();
        shares.add(jobs);
        all.incrementAndGet();
    }

    @Override
    public void lookWithin(Duration rest) {
        looks.incrementAndGet();
        rests.add(rest);
        all.incrementAndGet();
    }

    @Override
    public void dueIn(Duration delay) {
        soon.incrementAndGet();
        all.incrementAndGet();
    }
}
