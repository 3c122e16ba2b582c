package dev.treadle.example.shop.experiment;

import dev.treadle.api.JobScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.springframework.context.annotation.Profile;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What the shop answers when it is measured. */
@RestController
@Profile(Watch.PROFILE)
class ExperimentController {
    private final Watch watch;
    private final Blocks blocks;
    private final JobScheduler jobs;
    private final AsyncTaskExecutor tasks;
    private final AtomicReference<CompletableFuture<Figures>> watched = new AtomicReference<>();

    ExperimentController(Watch watch, Blocks blocks, JobScheduler jobs, AsyncTaskExecutor applicationTaskExecutor) {
        this.watch = watch;
        this.blocks = blocks;
        this.jobs = jobs;
        this.tasks = applicationTaskExecutor;
    }

    @GetMapping("/experiment/wait")
    String block(@RequestParam int millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(millis);
        return "waited";
    }

    @PostMapping("/experiment/watch")
    void begin(@RequestParam int afterMillis) {
        watched.set(watch.begin(afterMillis));
    }

    /** Threads, KB of heap, KB of the process. */
    @GetMapping("/experiment/watch")
    String end() throws InterruptedException, ExecutionException {
        Figures figures = Watch.end(watched.get());
        return figures.threads() + " " + figures.heapKb() + " " + figures.processKb();
    }

    /** @return how long it took, in ms */
    @PostMapping("/experiment/tasks")
    long tasks(@RequestParam int number, @RequestParam int millis) throws InterruptedException, ExecutionException {
        long began = System.nanoTime();
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            running.add(tasks.submit(() -> block(millis)));
        }
        for (Future<?> one : running) {
            one.get();
        }
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    }

    /** @return how long it took to enqueue and run them, in ms */
    @PostMapping("/experiment/jobs")
    long jobs(@RequestParam int number, @RequestParam int millis) throws InterruptedException {
        long began = System.nanoTime();
        jobs.enqueueAll(IntStream.range(0, number).mapToObj(i -> new Block(millis)));
        blocks.await(number);
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    }
}
