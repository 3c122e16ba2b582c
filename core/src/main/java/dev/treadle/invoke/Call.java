package dev.treadle.invoke;

import dev.treadle.job.JobContext;
import java.lang.reflect.Type;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A job's target, receiver and arguments, ready to be called. Runs once, on one thread. */
@FunctionalInterface
public interface Call {
    /**
     * Runs user code and returns its result.
     *
     * @throws Throwable what user code threw, as it threw it
     */
    @Nullable
    Object run(JobContext context) throws Throwable;

    /** The declared type of the result. */
    default Type returns() {
        return Object.class;
    }

    /** The same call, with the declared type of its result. */
    default Call returning(Supplier<Type> type) {
        Call call = this;
        return new Call() {
            @Override
            public @Nullable Object run(JobContext context) throws Throwable {
                return call.run(context);
            }

            @Override
            public Type returns() {
                return type.get();
            }
        };
    }
}
