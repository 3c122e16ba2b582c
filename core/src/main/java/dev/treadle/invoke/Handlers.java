package dev.treadle.invoke;

import dev.treadle.job.JobActivator;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobRequestHandler;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which handler runs which request type. Immutable. */
public final class Handlers {
    private static final Handlers NONE = new Handlers(Map.of());

    private final Map<String, Entry> byRequest;

    private Handlers(Map<String, Entry> byRequest) {
        this.byRequest = byRequest;
    }

    /** No handler at all. */
    public static Handlers none() {
        return NONE;
    }

    /**
     * These, and one handler that runs all jobs of a request type.
     *
     * @throws IllegalArgumentException if the type cannot be stored, or has a handler
     */
    public <T extends JobRequest<R>, R> Handlers with(Class<T> request, JobRequestHandler<T, R> handler) {
        return with(new Entry(request, handler, handler.getClass()));
    }

    /**
     * These, and a handler class; the activator supplies an instance of it for each run.
     *
     * @throws IllegalArgumentException if the type cannot be stored, or has a handler
     */
    public <T extends JobRequest<R>, R> Handlers with(
            Class<T> request, Class<? extends JobRequestHandler<T, R>> handler) {
        return with(new Entry(request, null, handler));
    }

    /** The request types that have a handler. */
    public Collection<Class<?>> requests() {
        return byRequest.values().stream().<Class<?>>map(Entry::request).toList();
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
        Map<String, Entry> all = new HashMap<>(byRequest);
        Entry before = all.put(request.getName(), added);
        if (before != null) {
            throw new IllegalArgumentException("Two handlers are registered for " + request.getName() + ": "
                    + before.type.getName() + " and " + added.type.getName()
                    + ". A request has one handler; remove one, or make two request types.");
        }
        return new Handlers(Map.copyOf(all));
    }

    /**
     * @param request the request type
     * @param handler the handler; null if the activator supplies it
     * @param type    the handler's class
     */
    record Entry(Class<?> request, @Nullable JobRequestHandler<?, ?> handler, Class<?> type) {

        JobRequestHandler<?, ?> supplied(JobActivator activator) {
            return handler != null ? handler : (JobRequestHandler<?, ?>) Receivers.supply(type, activator);
        }

        /** Calls a handler whose type was bound to the request's when it was registered. */
        @SuppressWarnings("unchecked")
        static Call call(JobRequestHandler<?, ?> handler, Object request) {
            JobRequestHandler<JobRequest<Object>, Object> bound =
                    (JobRequestHandler<JobRequest<Object>, Object>) handler;
            return context -> bound.run((JobRequest<Object>) request, context);
        }
    }
}
