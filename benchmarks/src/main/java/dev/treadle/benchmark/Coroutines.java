package dev.treadle.benchmark;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlin.jvm.functions.Function2;
import kotlinx.coroutines.BuildersKt;
import kotlinx.coroutines.CoroutineDispatcher;
import kotlinx.coroutines.CoroutineScope;
import kotlinx.coroutines.CoroutineScopeKt;
import kotlinx.coroutines.CoroutineStart;
import kotlinx.coroutines.DelayKt;
import kotlinx.coroutines.Dispatchers;
import kotlinx.coroutines.ExecutorsKt;
import kotlinx.coroutines.Job;

/** Kotlin coroutines that only wait, written in Java so that the build needs no second compiler. */
final class Coroutines {
    private Coroutines() {}

    /** On an executor of ours, as {@code executor.asCoroutineDispatcher()} does it in Kotlin. */
    static void on(Executor executor, int count, long millis) throws InterruptedException {
        delay(ExecutorsKt.from(executor), count, millis);
    }

    static void onDispatchersIo(int count, long millis) throws InterruptedException {
        delay(Dispatchers.getIO(), count, millis);
    }

    private static void delay(CoroutineDispatcher dispatcher, int count, long millis) throws InterruptedException {
        CoroutineScope scope = CoroutineScopeKt.CoroutineScope(dispatcher);
        CountDownLatch done = new CountDownLatch(count);
        Function2<CoroutineScope, Continuation<? super Unit>, Object> body =
                (self, then) -> DelayKt.delay(millis, then);
        for (int i = 0; i < count; i++) {
            Job job = BuildersKt.launch(scope, dispatcher, CoroutineStart.DEFAULT, body);
            job.invokeOnCompletion(why -> {
                done.countDown();
                return Unit.INSTANCE;
            });
        }
        done.await();
    }
}
