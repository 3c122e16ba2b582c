package dev.treadle.simulation;

import dev.treadle.invoke.Handlers;
import dev.treadle.invoke.Invoker;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobActivator;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobRequestHandler;
import dev.treadle.job.RetryDecision;
import dev.treadle.job.RetryRule;
import dev.treadle.payload.JsonArguments;
import dev.treadle.payload.TargetRules;
import java.util.List;

/** What users register on a node, release by release. */
final class Deployment {
    private static final JsonArguments JSON = new JsonArguments();

    private Deployment() {}

    /** Run by every release. */
    record Known(Kind kind) implements JobRequest<Void> {}

    /** Run by the new release; the old one does not know it. */
    record Fresh(Kind kind) implements JobRequest<Void> {}

    /** Run by the new release; the old one knows it and cannot make its handler. */
    record Rewired(Kind kind) implements JobRequest<Void> {}

    /** Run by no release any more. */
    record Forgotten(Kind kind) implements JobRequest<Void> {}

    /** Supplied by the activator. */
    record RewiredHandler(UserCode code) implements JobRequestHandler<Rewired> {
        @Override
        public void run(Rewired request, JobContext context) throws Exception {
            code.run(request.kind, context);
        }
    }

    static Invoker invoker(Release release, UserCode code, TreeCode trees) {
        Handlers handlers = Handlers.none()
                .with(Known.class, (request, context) -> code.run(request.kind, context))
                .with(Rewired.class, RewiredHandler.class)
                .withResult(Tree.class, trees::run);
        if (release == Release.NEW) {
            handlers = handlers.with(Fresh.class, (request, context) -> code.run(request.kind, context));
        }
        return new Invoker(
                TargetRules.allow(List.of()),
                handlers,
                new Activator(release, code),
                JSON,
                Deployment.class.getClassLoader());
    }

    static Invocation invocation(Kind kind) {
        String arguments = kind == Kind.READ_BY_NOBODY ? "{\"kind\":\"WAS_ONCE\"}" : "{\"kind\":\"" + kind + "\"}";
        return new Invocation(kind.target().getName(), null, arguments);
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

    private record Activator(Release release, UserCode code) implements JobActivator {
        @Override
        public <T> T activate(Class<T> type) {
            if (release == Release.OLD) {
                throw new IllegalStateException("not wired in this release");
            }
            return type.cast(new RewiredHandler(code));
        }
    }
}
