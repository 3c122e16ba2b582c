package dev.treadle.benchmark;

import dev.treadle.discovery.ExecutorDiscovery;
import dev.treadle.executor.ExecutorSettings;
import dev.treadle.executor.JobRunrExecutor;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;

/** One published experiment on one executor. */
final class LoomRun {
    /** Not an executor of ours: what a program without any does. As many at once as {@link LoomPlan} allows. */
    static final String THREAD_PER_TASK = "thread-per-task";

    /** As published. */
    static final int HTTP_CLIENTS = 100;

    private static final double MEGABYTE = 1024 * 1024;

    private final Task task;
    private final boolean virtual;

    LoomRun(Task task) {
        this.task = task;
        this.virtual = task.param("executor", "virtual").equals("virtual");
    }

    Sample measure() throws Exception {
        return switch (LoomExperiment.valueOf(task.param("experiment", ""))) {
            case E2_SLEEP, E3_SLEEP -> task.param("executor", "").equals(THREAD_PER_TASK) ? threadPerTask() : sleep();
            case E2_COROUTINES -> coroutines();
            case E3_PARKED -> new ParkedThreads(threads(), task.number("limit", 1_024), task.jobs()).measure();
            case E5_CREATE -> create();
            case E5_PING_PONG -> pingPong();
            case E5_MESSAGES -> messages();
            case E5_HTTP -> http();
        };
    }

    private JobRunrExecutor executor() {
        JobRunrExecutor executor =
                new ExecutorDiscovery().byName(virtual ? "virtual" : "pool").executor();
        executor.start(new ExecutorSettings(task.number("threads", ExecutorSettings.WORKERS_MAX)));
        return executor;
    }

    private ThreadFactory threads() {
        return virtual
                ? Thread.ofVirtual().factory()
                : Thread.ofPlatform().daemon().factory();
    }

    private Sample sleep() throws InterruptedException {
        int millis = task.number("millis", 100);
        JobRunrExecutor executor = executor();
        CountDownLatch done = new CountDownLatch(task.jobs());
        long from = System.nanoTime();
        for (int i = 0; i < task.jobs(); i++) {
            executor.execute(() -> {
                try {
                    Thread.sleep(millis);
                    done.countDown();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        done.await();
        Sample sample = seconds(from);
        executor.stop();
        return sample;
    }

    private Sample threadPerTask() throws InterruptedException {
        int millis = task.number("millis", 100);
        Semaphore room = new Semaphore(LoomPlan.PLATFORM_THREADS_MAX);
        CountDownLatch done = new CountDownLatch(task.jobs());
        long from = System.nanoTime();
        for (int i = 0; i < task.jobs(); i++) {
            room.acquire();
            Thread.ofPlatform().start(() -> {
                try {
                    Thread.sleep(millis);
                    done.countDown();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } finally {
                    room.release();
                }
            });
        }
        done.await();
        return seconds(from);
    }

    private Sample coroutines() throws InterruptedException {
        if (task.param("executor", "").equals("Dispatchers.IO")) {
            Coroutines.onDispatchersIo(task.jobs(), 100);
            long from = System.nanoTime();
            Coroutines.onDispatchersIo(task.jobs(), 100);
            return seconds(from);
        }
        JobRunrExecutor executor = executor();
        Coroutines.on(executor, task.jobs(), 100);
        long from = System.nanoTime();
        Coroutines.on(executor, task.jobs(), 100);
        Sample sample = seconds(from);
        executor.stop();
        return sample;
    }

    private Sample create() throws InterruptedException {
        create(task.jobs() / 5);
        long from = System.nanoTime();
        create(task.jobs());
        return perSecond(from);
    }

    private void create(int count) throws InterruptedException {
        ThreadFactory threads = threads();
        CountDownLatch done = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            threads.newThread(done::countDown).start();
        }
        done.await();
    }

    private Sample pingPong() throws InterruptedException {
        pingPong(task.jobs() / 5);
        long from = System.nanoTime();
        pingPong(task.jobs());
        return seconds(from);
    }

    private void pingPong(int turns) throws InterruptedException {
        JobRunrExecutor executor = executor();
        SynchronousQueue<Integer> ping = new SynchronousQueue<>();
        SynchronousQueue<Integer> pong = new SynchronousQueue<>();
        CountDownLatch done = new CountDownLatch(2);
        executor.execute(() -> {
            for (int i = 0; i < turns; i++) {
                put(ping, i);
                take(pong);
            }
            done.countDown();
        });
        executor.execute(() -> {
            for (int i = 0; i < turns; i++) {
                put(pong, take(ping));
            }
            done.countDown();
        });
        done.await();
        executor.stop();
    }

    private Sample messages() throws InterruptedException {
        messages(task.jobs() / 5);
        long from = System.nanoTime();
        messages(task.jobs());
        return perSecond(from);
    }

    /** One writes into the other's mailbox and waits for nothing. */
    private void messages(int count) throws InterruptedException {
        JobRunrExecutor executor = executor();
        BlockingQueue<Integer> mailbox = new LinkedBlockingQueue<>();
        CountDownLatch done = new CountDownLatch(1);
        executor.execute(() -> {
            for (int i = 0; i < count; i++) {
                take(mailbox);
            }
            done.countDown();
        });
        executor.execute(() -> {
            for (int i = 0; i < count; i++) {
                put(mailbox, i);
            }
        });
        done.await();
        executor.stop();
    }

    private Sample http() throws IOException, InterruptedException {
        JobRunrExecutor executor = executor();
        try (HttpResponder responder = new HttpResponder(executor::execute)) {
            responder.answer(task.jobs() / 5, HTTP_CLIENTS);
            long from = System.nanoTime();
            responder.answer(task.jobs(), HTTP_CLIENTS);
            return perSecond(from);
        } finally {
            executor.stop();
        }
    }

    private static void put(BlockingQueue<Integer> queue, int value) {
        try {
            queue.put(value);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int take(BlockingQueue<Integer> queue) {
        try {
            return queue.take();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Sample seconds(long from) {
        return memory().with(Measure.SECONDS, (System.nanoTime() - from) / 1e9);
    }

    private Sample perSecond(long from) {
        return memory().with(Measure.JOBS_PER_SECOND, task.jobs() / ((System.nanoTime() - from) / 1e9));
    }

    private static Sample memory() {
        return Sample.of(
                Measure.RESIDENT,
                ProcessTimes.residentPeak(List.of(ProcessHandle.current().pid())) / MEGABYTE);
    }
}
