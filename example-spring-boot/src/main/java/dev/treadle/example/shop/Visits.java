package dev.treadle.example.shop;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.scheduling.annotation.Async;
import org.springframework.stereotype.Component;

/** Counts visits on the task executor: losing a count in a crash does no harm, so it is no job. */
@Component
class Visits {
    private final AtomicInteger visits = new AtomicInteger();

    /** @return the number of the visit, and the thread that counted it */
    @Async
    public CompletableFuture<Visit> count() {
        return CompletableFuture.completedFuture(
                new Visit(visits.incrementAndGet(), Thread.currentThread().toString()));
    }

    record Visit(int number, String thread) {}
}
