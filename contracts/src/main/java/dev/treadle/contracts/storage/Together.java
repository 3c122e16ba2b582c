package dev.treadle.contracts.storage;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/** Does several things at the same time, each on a thread of its own that sets off at the same barrier. */
final class Together {
    private static final long LIMIT_SECONDS = 60;

    private Together() {}

    /** The same thing on several threads. */
    static <T> List<T> times(int threads, Callable<T> work) {
        return all(Collections.nCopies(threads, work));
    }

    /** Two things. */
    static <A, B> Both<A, B> two(Callable<A> one, Callable<B> other) {
        AtomicReference<A> ones = new AtomicReference<>();
        AtomicReference<B> others = new AtomicReference<>();
        all(List.of(keeping(ones, one), keeping(others, other)));
        return new Both<>(ones.get(), others.get());
    }

    private static <T> Callable<Boolean> keeping(AtomicReference<T> answer, Callable<T> work) {
        return () -> {
            answer.set(work.call());
            return true;
        };
    }

    /** What the two answered. */
    record Both<A, B>(A one, B other) {
        boolean exactlyOneIs(Object answer) {
            return one.equals(answer) != other.equals(answer);
        }
    }

    /**
     * Different things.
     *
     * @return what each answered, in their order
     * @throws AssertionError if one threw: losing a race is an answer and not an exception
     */
    static <T> List<T> all(List<Callable<T>> works) {
        CyclicBarrier start = new CyclicBarrier(works.size());
        List<FutureTask<T>> tasks = new ArrayList<>();
        for (Callable<T> work : works) {
            tasks.add(new FutureTask<>(() -> {
                start.await(LIMIT_SECONDS, TimeUnit.SECONDS);
                return work.call();
            }));
        }
        for (FutureTask<T> task : tasks) {
            Thread thread = new Thread(task, "contract-" + tasks.indexOf(task));
            thread.setDaemon(true);
            thread.start();
        }
        return tasks.stream().map(Together::answer).toList();
    }

    private static <T> T answer(FutureTask<T> task) {
        try {
            return task.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("a racing call threw: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("a racing call has not returned for " + LIMIT_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("the test was interrupted", e);
        }
    }
}
