package dev.treadle.invoke;

import dev.treadle.invoke.NotRunnableException.Missing;
import dev.treadle.job.Invocation;
import dev.treadle.job.Job;
import dev.treadle.job.JobActivator;
import dev.treadle.payload.DeclaredTypes;
import dev.treadle.payload.JsonArguments;
import dev.treadle.payload.TargetRules;
import dev.treadle.payload.TypeNames;
import dev.treadle.payload.UnreadableArgumentsException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Turns invocations into calls. Thread-safe. */
public final class Invoker {
    private final Handlers handlers;
    private final JobActivator activator;
    private final JsonArguments arguments;
    private final Targets targets;

    /**
     * @param rules     which types methods may be called on
     * @param handlers  what runs typed requests
     * @param activator supplies receivers and handlers given as classes
     * @param arguments reads the arguments
     * @param loader    loads the classes that rows name
     */
    public Invoker(
            TargetRules rules, Handlers handlers, JobActivator activator, JsonArguments arguments, ClassLoader loader) {
        this.handlers = handlers;
        this.activator = activator;
        this.arguments = arguments;
        this.targets = new Targets(rules, loader);
    }

    /**
     * Prepares the call of an invocation. Reads the arguments before it asks the activator, so that no object is
     * created for a job that cannot run.
     *
     * @throws NotRunnableException if it cannot be called here; the message says why and what to do
     */
    public Call resolve(Invocation stored) {
        Invocation invocation = stored;
        try {
            invocation = handlers.names().hereAndNow(stored);
            String method = invocation.method();
            return method == null ? ofRequest(invocation) : ofMethod(invocation, method);
        } catch (UnreadableArgumentsException e) {
            throw unreadable(e);
        } catch (LinkageError e) {
            throw broken(invocation, e);
        }
    }

    /** How jobs with this call are put together; null if each runs by itself. */
    public @Nullable ChunkRule chunkRule(Invocation stored) {
        return handlers.chunkRule(stored);
    }

    /**
     * The request of a job that runs in a chunk.
     *
     * @throws NotRunnableException if it cannot be read here
     */
    Object requestInChunk(Invocation stored) {
        Invocation invocation = stored;
        try {
            invocation = handlers.names().hereAndNow(stored);
            return arguments.readRequest(
                    invocation.arguments(), chunkEntry(stored).request());
        } catch (UnreadableArgumentsException e) {
            throw unreadable(e);
        } catch (LinkageError e) {
            throw broken(invocation, e);
        }
    }

    /** The handler of jobs that have a {@linkplain #chunkRule chunk rule}. */
    Handlers.Entry chunkEntry(Invocation stored) {
        return Objects.requireNonNull(handlers.find(handlers.names().typeOf(stored.type())), "it was found before");
    }

    private static NotRunnableException unreadable(UnreadableArgumentsException e) {
        return new NotRunnableException(Missing.ARGUMENTS, e.getMessage(), e);
    }

    private static NotRunnableException broken(Invocation invocation, LinkageError e) {
        return new NotRunnableException(
                Missing.TARGET,
                "A type that " + invocation.target() + " uses is missing or broken on this node: " + e
                        + ". Deploy it here, or run the job on a node that has it.",
                e);
    }

    /**
     * Whether this node could call a target, as {@link Invocation#target()} names it, now. Does not look at arguments
     * and receivers.
     */
    public boolean knows(String target) {
        if (target.equals(BatchJob.TYPE)) {
            return true;
        }
        int hash = target.indexOf('#');
        if (hash < 0) {
            return handlers.find(handlers.names().typeOf(target)) != null;
        }
        Invocation here =
                handlers.names().here(new Invocation(target.substring(0, hash), target.substring(hash + 1), ""));
        try {
            targets.find(here.type(), String.valueOf(here.method()));
            return true;
        } catch (NotRunnableException e) {
            return false;
        }
    }

    /** The same job, with the names that it would be stored under now. */
    Job renamed(Job job) {
        Invocation now = handlers.names().renamed(job.invocation());
        return now == job.invocation()
                ? job
                : new Job(job.id(), now, job.traits(), job.createdAt(), job.attempt(), job.state());
    }

    /** The names under which jobs are stored. */
    public TypeNames names() {
        return handlers.names();
    }

    private Call ofRequest(Invocation invocation) {
        if (invocation.type().equals(BatchJob.TYPE)) {
            return BatchJob::run;
        }
        Handlers.Entry entry = handlers.find(invocation.type());
        if (entry == null) {
            throw new NotRunnableException(
                    Missing.TARGET,
                    "No handler is registered on this node for the request " + invocation.type()
                            + ". Register one here, or run the job on a node that has it. If the class was renamed, put"
                            + " @JobType(formerly = \"" + invocation.type() + "\") on the new one.",
                    null);
        }
        Object request = arguments.readRequest(invocation.arguments(), entry.request());
        return entry.call(activator, request).returning(() -> DeclaredTypes.returned(entry.request()));
    }

    private Call ofMethod(Invocation invocation, String method) {
        Target target = targets.find(invocation.type(), method);
        @Nullable Object[] values = arguments.read(invocation.arguments(), target.parameters());
        Object receiver = target.needsReceiver() ? Receivers.supply(target.type(), activator) : null;
        return target.call(receiver, values).returning(target::returned);
    }
}
