package dev.treadle.invoke;

import dev.treadle.job.ChunkHandler;
import dev.treadle.job.ChunkJob;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobActivator;
import dev.treadle.job.JobDefaults;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobRequestHandler;
import dev.treadle.job.JobType;
import dev.treadle.job.JobTypes;
import dev.treadle.job.ResultHandler;
import dev.treadle.payload.JsonArguments;
import dev.treadle.payload.TargetRules;
import dev.treadle.payload.TypeNames;
import java.lang.annotation.Annotation;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The handlers of request types. Immutable. */
public final class Handlers {
    private final Map<String, Entry> byRequest;
    private final JobTypes types;
    private final TypeNames names;
    private final boolean anyChunks;

    private Handlers(Map<String, Entry> byRequest, JobTypes types) {
        this.byRequest = byRequest;
        this.types = types;
        this.names = TypeNames.of(types, requests());
        this.anyChunks = byRequest.values().stream().anyMatch(entry -> entry.chunk != null);
    }

    /**
     * These handlers, and further names under which jobs are stored.
     *
     * @throws IllegalArgumentException if two types claim one name, or a name cannot be one
     */
    public Handlers with(JobTypes types) {
        return new Handlers(byRequest, this.types.with(types));
    }

    /**
     * The rules that allow jobs to call these packages, the requests that have a handler, and types that are named because
     * jobs call their methods.
     *
     * @param packages none for every type of the application
     */
    public TargetRules rules(Collection<String> packages) {
        TargetRules rules = packages.isEmpty() ? TargetRules.applicationTypes() : TargetRules.allow(packages);
        List<Class<?>> registered = new ArrayList<>(requests());
        registered.addAll(types.classes());
        types.namings().forEach(naming -> registered.add(naming.type()));
        return rules.withRegistered(registered);
    }

    /** The names under which jobs are stored. */
    public TypeNames names() {
        return names;
    }

    /** No handlers. */
    public static Handlers none() {
        return new Handlers(Map.of(), JobTypes.NONE);
    }

    /**
     * These handlers, and one for a request type without a result.
     *
     * @throws IllegalArgumentException if the type cannot be stored, or has a handler
     */
    public <T extends JobRequest<Void>> Handlers with(Class<T> request, JobRequestHandler<T> handler) {
        return with(new Entry(request, handler, handler.getClass(), false, null));
    }

    /** Like {@link #with(Class, JobRequestHandler)}; the activator supplies an instance of the class for each run. */
    public <T extends JobRequest<Void>> Handlers with(Class<T> request, Class<? extends JobRequestHandler<T>> handler) {
        return with(new Entry(request, null, handler, false, null));
    }

    /**
     * These handlers, and one for a request type with a result.
     *
     * @throws IllegalArgumentException if the type cannot be stored, or has a handler
     */
    public <T extends JobRequest<R>, R> Handlers withResult(Class<T> request, ResultHandler<T, R> handler) {
        return with(new Entry(request, handler, handler.getClass(), true, null));
    }

    /** Like {@link #withResult(Class, ResultHandler)}; the activator supplies an instance of the class for each run. */
    public <T extends JobRequest<R>, R> Handlers withResult(
            Class<T> request, Class<? extends ResultHandler<T, R>> handler) {
        return with(new Entry(request, null, handler, true, null));
    }

    /**
     * These handlers, and one that runs jobs of a request type together.
     *
     * @throws IllegalArgumentException if the type cannot be stored, or has a handler
     */
    public <T extends JobRequest<R>, R> Handlers withChunks(
            Class<T> request, int jobs, Duration patience, ChunkHandler<T, R> handler) {
        ChunkRule rule = new ChunkRule(request.getName(), jobs, patience);
        return with(new Entry(request, handler, handler.getClass(), true, rule));
    }

    /** How jobs with this call are put together; null if each runs by itself. */
    @Nullable
    ChunkRule chunkRule(Invocation stored) {
        // nearly all nodes have no such handler, and pay for a look at one field
        if (!anyChunks || stored.method() != null) {
            return null;
        }
        Entry entry = byRequest.get(names.typeOf(stored.type()));
        return entry == null ? null : entry.chunk;
    }

    /** The request types that have a handler. */
    public Collection<Class<?>> requests() {
        return byRequest.values().stream().<Class<?>>map(Entry::request).toList();
    }

    /**
     * The same arguments, which can write and read each request that has a handler.
     *
     * @throws dev.treadle.payload.UnusableBindingException if they cannot
     */
    public JsonArguments checkedBy(JsonArguments arguments) {
        requests().forEach(arguments::check);
        return arguments;
    }

    /** The entry for a request type's binary name; null if there is none. */
    @Nullable
    Entry find(String request) {
        return byRequest.get(request);
    }

    private Handlers with(Entry added) {
        Class<?> request = added.request;
        if (Modifier.isAbstract(request.getModifiers())
                || request.isAnonymousClass()
                || request.isLocalClass()
                || request.isHidden()) {
            throw new IllegalArgumentException("A handler cannot be registered for " + request.getName()
                    + ", because no stored job can be of that type. Register it for a class or record of its own.");
        }
        refuse(added, JobType.class);
        refuse(added, JobDefaults.class);
        Map<String, Entry> all = new HashMap<>(byRequest);
        Entry before = all.put(request.getName(), added);
        if (before != null) {
            throw new IllegalArgumentException("Two handlers are registered for " + request.getName() + ": "
                    + before.type.getName() + " and " + added.type.getName()
                    + ". A request has one handler; remove one, or make two request types.");
        }
        return new Handlers(Map.copyOf(all), types);
    }

    /** A process that enqueues does not know the handler. */
    private static void refuse(Entry added, Class<? extends Annotation> annotation) {
        if (added.type.isAnnotationPresent(annotation)) {
            throw new IllegalArgumentException("The handler " + added.type.getName() + " has @"
                    + annotation.getSimpleName() + ", which would not be seen where jobs are enqueued. Put it on the"
                    + " request, " + added.request.getName() + ".");
        }
    }

    /**
     * @param request the request type
     * @param handler the handler; null if the activator supplies it
     * @param type    the handler's class
     * @param returns whether it is a {@link ResultHandler} instead of a {@link JobRequestHandler}
     * @param chunk   how it runs jobs together; null if it is no {@link ChunkHandler}
     */
    record Entry(
            Class<?> request,
            @Nullable Object handler,
            Class<?> type,
            boolean returns,
            @Nullable ChunkRule chunk) {

        /** The call of the handler, whose type was bound to the request's when it was registered. */
        @SuppressWarnings("unchecked")
        Call call(JobActivator activator, Object request) {
            if (chunk != null) {
                throw new IllegalStateException(this.request.getName() + " runs in chunks.");
            }
            Object supplied = handler != null ? handler : Receivers.supply(type, activator);
            if (returns) {
                ResultHandler<JobRequest<Object>, Object> bound = (ResultHandler<JobRequest<Object>, Object>) supplied;
                return context -> bound.run((JobRequest<Object>) request, context);
            }
            JobRequestHandler<JobRequest<Void>> bound = (JobRequestHandler<JobRequest<Void>>) supplied;
            return context -> {
                bound.run((JobRequest<Void>) request, context);
                return null;
            };
        }

        /** Calls the chunk handler, whose type was bound to that of the requests when it was registered. */
        @SuppressWarnings("unchecked")
        void callTogether(List<? extends ChunkJob<?, ?>> jobs) throws Exception {
            ChunkHandler<JobRequest<Object>, Object> bound = (ChunkHandler<JobRequest<Object>, Object>) handler;
            Objects.requireNonNull(bound, "a chunk handler is given as an object")
                    .run((List<ChunkJob<JobRequest<Object>, Object>>) jobs);
        }
    }
}
