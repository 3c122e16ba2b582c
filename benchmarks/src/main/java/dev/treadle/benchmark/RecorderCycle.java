package dev.treadle.benchmark;

import dev.treadle.job.Invocation;
import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.JobState;
import dev.treadle.job.JobTraits;
import dev.treadle.job.NodeId;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.AttemptEnd;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import dev.treadle.outcome.OutcomeRecorder;
import dev.treadle.storage.StorageProvider;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/** Offers a batch of endings and lets the recorder write them to a storage that costs nothing. For one thread. */
final class RecorderCycle {
    private final List<Transition> endings;
    private final List<Lease> written = new ArrayList<>();
    private final OutcomeRecorder recorder = new OutcomeRecorder(storage(), written::add, () -> {});

    RecorderCycle(int batch) {
        this.endings = IntStream.range(0, batch).mapToObj(RecorderCycle::ending).toList();
    }

    List<Lease> run() {
        written.clear();
        endings.forEach(recorder::offer);
        while (recorder.waiting() > 0) {
            recorder.turn();
        }
        return written;
    }

    private static Transition ending(int number) {
        Job job = new Job(
                new JobId(new UUID(0, number)),
                new Invocation("bench", null, "{}"),
                JobTraits.DEFAULT,
                Instant.EPOCH,
                1,
                new JobState.Processing(Instant.EPOCH, new NodeId(1)));
        return AttemptEnd.succeeded(new Lease(job, 1), Duration.ofMillis(1));
    }

    /** A proxy, so that a method more in the port changes nothing here; only {@code record} is ever called. */
    private static StorageProvider storage() {
        return (StorageProvider) Proxy.newProxyInstance(
                RecorderCycle.class.getClassLoader(),
                new Class<?>[] {StorageProvider.class},
                (proxy, method, arguments) ->
                        Collections.nCopies(((List<?>) arguments[0]).size(), WriteResult.WRITTEN));
    }
}
