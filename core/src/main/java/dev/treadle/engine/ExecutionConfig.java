package dev.treadle.engine;

import dev.treadle.commit.OpenBlocks;
import dev.treadle.invoke.ChildJobs;
import dev.treadle.invoke.Invoker;
import dev.treadle.invoke.RunOptions;
import dev.treadle.job.RetryRule;
import dev.treadle.lifecycle.Transition;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * How a node runs user code.
 *
 * @param pools       the executors
 * @param invoker     finds what a job calls
 * @param options     what users chose about running jobs
 * @param blocks      know the transactions that jobs have open
 * @param stopThreads run what jobs gave to {@code onStop}
 * @param children    makes the jobs that jobs spawn
 * @param written     called with each ending that was written, on a recording thread
 */
public record ExecutionConfig(
        WorkerPools pools,
        Invoker invoker,
        RunOptions options,
        OpenBlocks blocks,
        Executor stopThreads,
        ChildJobs children,
        Consumer<Transition> written) {
    /** The default options, with this rule for retries. */
    public ExecutionConfig(WorkerPools pools, Invoker invoker, RetryRule rule) {
        this(
                pools,
                invoker,
                RunOptions.usual().withRule(rule),
                new OpenBlocks(),
                Runnable::run,
                ChildJobs.NONE,
                ending -> {});
    }

    /** An ending was written. */
    void tell(Transition ending) {
        written.accept(ending);
        options.interceptors().stateChanged(ending.lease().job().id(), ending.next(), ending.why());
    }
}
