package dev.treadle.simulation;

import dev.treadle.invoke.Call;
import dev.treadle.invoke.Invoker;
import dev.treadle.invoke.NotRunnableException;
import dev.treadle.job.Invocation;
import dev.treadle.job.RetryDecision;
import dev.treadle.job.RetryRule;
import dev.treadle.storage.Ending;

/** What a node's engine reaches user code through. */
final class Handlers {
    private static final String UNSTORABLE = "cannot be stored";

    private Handlers() {}

    /** The one place that knows how an invoker is made. */
    static Invoker invokerFor(SimNode node, Cluster cluster) {
        UserCode code = new UserCode(node, cluster);
        return new Invoker() {
            @Override
            public Call resolve(Invocation invocation) {
                if (!node.release().knows(invocation.target())) {
                    throw new NotRunnableException("nobody here knows " + invocation.target(), false);
                }
                Kind kind = Kind.valueOf(invocation.arguments());
                if (!node.release().reads(kind)) {
                    throw new NotRunnableException("cannot be read here", true);
                }
                return context -> code.run(kind, context);
            }

            @Override
            public boolean knows(String target) {
                return node.release().knows(target);
            }
        };
    }

    static Invocation invocation(Kind kind) {
        return new Invocation(kind.target(), null, kind.name());
    }

    /** A user's rule that itself breaks for some exceptions. */
    static RetryRule rule() {
        return (thrown, attempt) -> {
            if (thrown instanceof UserError broken && broken.breaksTheRule()) {
                throw new AssertionError("the rule broke");
            }
            return RetryDecision.BY_POLICY;
        };
    }

    static UserError unstorable() {
        return new UserError(UNSTORABLE);
    }

    /** Whether the storage refuses an ending for its text. */
    static boolean cannotBeStored(Ending ending) {
        return ending instanceof Ending.Retry retry && retry.why().message().equals(UNSTORABLE)
                || ending instanceof Ending.Fail fail && fail.why().message().equals(UNSTORABLE);
    }
}
