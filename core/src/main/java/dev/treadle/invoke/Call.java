package dev.treadle.invoke;

import dev.treadle.job.JobContext;
import java.lang.reflect.Type;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A job's target, receiver and arguments, found and ready. Runs once, on one thread. */
@FunctionalInterface
public interface Call {
    /**
     * Runs user code and gives back what it returned.
     *
     * @throws Throwable what user code threw, as it threw it
     */
    @Nullable
    Object run(JobContext context) throws Throwable;

    /** What its code says that it returns. */
    default Type returns() {
        return Object.class;
    }

    /** The same, with the type that it returns. */
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
