package dev.treadle.storage.sql;

import dev.treadle.job.Lane;
import dev.treadle.storage.DueListener;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A node that counts what it is told. */
final class Heard implements DueListener {
    private final AtomicInteger all;
    final AtomicInteger due = new AtomicInteger();
    final AtomicInteger soon = new AtomicInteger();
    final AtomicInteger looks = new AtomicInteger();
    volatile int room = 16;

    /** @param all counts whatever it is told */
    Heard(AtomicInteger all) {
        this.all = all;
    }

    @Override
    public int room(@Nullable Lane lane) {
        return room;
    }

    @Override
    public void due(@Nullable Lane lane) {
        due.incrementAndGet();
        all.incrementAndGet();
    }

    @Override
    public void lookWithin(Duration rest) {
        looks.incrementAndGet();
        all.incrementAndGet();
    }

    @Override
    public void dueIn(Duration delay) {
        soon.incrementAndGet();
        all.incrementAndGet();
    }
}
