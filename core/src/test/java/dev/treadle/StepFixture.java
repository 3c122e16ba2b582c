package dev.treadle;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobRequestHandler;
import dev.treadle.job.JobStep;
import dev.treadle.job.Secret;
import dev.treadle.job.StateName;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** What tests of steps share: an engine in memory, and what was really done. */
abstract class StepFixture {
    final StorageProvider storage = new InMemoryStorageProvider();
    /** What was really done, in order. */
    final List<String> done = new CopyOnWriteArrayList<>();

    final AtomicReference<@Nullable Throwable> caught = new AtomicReference<>();

    @Nullable
    Treadle treadle;

    record Order(long number) implements JobRequest<Void> {}

    record Receipt(String id, BigDecimal amount, @Secret String account) {}

    record OtherReceipt(Receipt of, List<String> lines) {}

    @AfterEach
    void close() {
        if (treadle != null) {
            treadle.close();
        }
    }

    final JobId run(JobRequestHandler<Order> code) {
        return start(code).jobs().enqueue(new Order(7));
    }

    final Treadle start(JobRequestHandler<Order> code) {
        close();
        treadle = Treadle.on(storage)
                .settings(Work.QUICK)
                .handler(Order.class, code)
                .start();
        return treadle;
    }

    final JobId succeeds(JobRequestHandler<Order> code) {
        JobId id = run(code);
        Work.untilIn(StateName.SUCCEEDED, storage, id);
        return id;
    }

    final <T> T did(String what, T result) {
        done.add(what);
        return result;
    }

    final List<String> recorded(JobId id) {
        return storage.runs().steps(id, 0, JobStep.STEPS_MAX).stream()
                .map(step -> step.name() + "=" + step.result())
                .toList();
    }

    static void failIn(JobContext job, int attempt) {
        if (job.attempt() == attempt) {
            throw new IllegalStateException("attempt " + attempt + " fails");
        }
    }

    final Treadle treadle() {
        return java.util.Objects.requireNonNull(treadle);
    }

    final void assertMessage(Class<? extends Exception> type, String... parts) {
        Throwable thrown = assertInstanceOf(type, caught.get());
        for (String part : parts) {
            assertTrue(String.valueOf(thrown.getMessage()).contains(part), thrown::toString);
        }
    }

    /** Code whose exception is kept for the test and not thrown on. */
    final JobRequestHandler<Order> catching(Code code) {
        return (order, job) -> {
            try {
                code.run(job);
            } catch (Exception e) {
                caught.set(e);
            }
        };
    }

    interface Code {
        void run(JobContext job) throws Exception;
    }
}
