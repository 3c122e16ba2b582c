package dev.treadle.discovery;

import dev.treadle.executor.JobRunrExecutor;
import org.jspecify.annotations.Nullable;

/** Providers that promise much and keep nothing; all with a higher priority than any that works. */
final class BrokenExecutors {
    private BrokenExecutors() {}

    abstract static class Broken implements JobRunrExecutor {
        @Override
        public Integer getPriority() {
            return 1_000;
        }

        @Override
        public void start() {}

        @Override
        public void stop() {}

        @Override
        public void execute(Runnable task) {}
    }

    public static class WithoutLicence extends Broken {
        public WithoutLicence() {
            throw new IllegalStateException("no licence\nfound");
        }
    }

    public static class WithoutStaticInit extends Broken {
        static final int NUMBER = Integer.parseInt("no number");

        @Override
        public String executorName() {
            return "number-" + NUMBER;
        }
    }

    public static class WithoutPriority extends Broken {
        @Override
        @SuppressWarnings("NullAway")
        public @Nullable Integer getPriority() {
            return null;
        }
    }

    public static class WithPriorityThatThrows extends Broken {
        @Override
        public Integer getPriority() {
            throw new NoClassDefFoundError("org/example/Missing");
        }
    }

    public static class WithoutName extends Broken {
        @Override
        public String executorName() {
            return " ";
        }
    }
}
