package dev.treadle.enqueue;

import dev.treadle.job.JobId;
import dev.treadle.job.JobNotSucceededException;
import dev.treadle.job.JobResult;
import dev.treadle.job.ResultNotKeptException;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Completion;
import dev.treadle.outcome.JobWaiters;
import dev.treadle.payload.JsonResults;
import dev.treadle.storage.StorageProvider;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What jobs returned: read now, or waited for. Thread-safe. */
final class Answers {
    private final StorageProvider storage;
    private final JobWaiters awaited;
    private final JsonResults json;

    Answers(StorageProvider storage, JobWaiters awaited, JsonResults json) {
        this.storage = storage;
        this.awaited = awaited;
        this.json = json;
    }

    <R> Optional<R> result(JobId id, Type type) {
        Completion ended = storage.runs().endings(List.of(id)).get(id);
        return ended == null || ended.state() != StateName.SUCCEEDED
                ? Optional.empty()
                : this.<R>value(id, ended, type);
    }

    <R> CompletableFuture<Optional<R>> future(JobId id, Type type) {
        CompletableFuture<Completion> ended = awaited.of(id);
        CompletableFuture<Optional<R>> result = ended.thenApply(how -> this.<R>value(id, how, type));
        // a cancelled future is no longer looked for
        result.whenComplete((value, failed) -> ended.cancel(false));
        return result;
    }

    <R> Optional<R> await(JobId id, Type type, Duration timeout) throws TimeoutException, InterruptedException {
        CompletableFuture<Optional<R>> result = future(id, type);
        try {
            return result.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new TimeoutException("Job " + id + " has not ended within " + timeout + ".");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException thrown ? thrown : new IllegalStateException(e.getCause());
        } finally {
            result.cancel(false);
        }
    }

    private <R> Optional<R> value(JobId id, Completion ended, Type type) {
        if (ended.state() != StateName.SUCCEEDED) {
            throw new JobNotSucceededException(id, ended.state(), ended.why());
        }
        JobResult result = ended.result();
        if (result == null) {
            return Optional.empty();
        }
        if (result.json() == null) {
            throw new ResultNotKeptException(id, String.valueOf(result.whyNotKept()));
        }
        return Optional.ofNullable(json.<R>read(result.json(), type));
    }
}
