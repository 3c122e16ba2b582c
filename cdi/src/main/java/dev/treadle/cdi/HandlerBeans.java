package dev.treadle.cdi;

import dev.treadle.Treadle;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobRequestHandler;
import dev.treadle.job.ResultHandler;
import jakarta.enterprise.inject.AmbiguousResolutionException;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanContainer;
import jakarta.enterprise.util.TypeLiteral;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Finds the beans that handle requests. A bean is only asked for when a job runs, so that handlers may themselves need the
 * scheduler.
 */
final class HandlerBeans {
    private final BeanContainer beans;
    private final Map<Class<?>, Bean<?>> known = new LinkedHashMap<>();

    HandlerBeans(BeanContainer beans) {
        this.beans = beans;
    }

    /** @throws dev.treadle.api.TreadleSetupException if two beans handle one type, or a bean does not say which type it handles */
    void register(Treadle.Builder builder) {
        found(new TypeLiteral<JobRequestHandler<?>>() {}, JobRequestHandler.class)
                .forEach((request, bean) -> handler(builder, request, bean));
        found(new TypeLiteral<ResultHandler<?, ?>>() {}, ResultHandler.class)
                .forEach((request, bean) -> resultHandler(builder, request, bean));
    }

    /** The bean's type argument was declared with the handler, so the casts hold. */
    @SuppressWarnings("unchecked")
    private <T extends JobRequest<Void>> void handler(Treadle.Builder builder, Class<?> request, Bean<?> bean) {
        Type type = handled(bean, JobRequestHandler.class);
        builder.handler((Class<T>) request, (arguments, job) -> {
            try (BeanUse handler = BeanUse.of(beans, bean, type)) {
                ((JobRequestHandler<T>) handler.instance()).run(arguments, job);
            }
        });
    }

    @SuppressWarnings("unchecked")
    private <T extends JobRequest<R>, R> void resultHandler(Treadle.Builder builder, Class<?> request, Bean<?> bean) {
        Type type = handled(bean, ResultHandler.class);
        builder.resultHandler((Class<T>) request, (arguments, job) -> {
            try (BeanUse handler = BeanUse.of(beans, bean, type)) {
                return ((ResultHandler<T, R>) handler.instance()).run(arguments, job);
            }
        });
    }

    /** One bean for each request: of alternatives the one that the container chooses. */
    private Map<Class<?>, Bean<?>> found(TypeLiteral<?> any, Class<?> handler) {
        Map<Class<?>, Set<Bean<?>>> byRequest = new LinkedHashMap<>();
        for (Bean<?> bean : beans.getBeans(any.getType(), Any.Literal.INSTANCE)) {
            byRequest
                    .computeIfAbsent(request(bean, handler), none -> new LinkedHashSet<>())
                    .add(bean);
        }
        Map<Class<?>, Bean<?>> found = new LinkedHashMap<>();
        byRequest.forEach((request, all) -> {
            Bean<?> bean = chosen(request, all);
            Bean<?> before = known.put(request, bean);
            if (before != null) {
                throw twoHandlers(request, before, bean);
            }
            found.put(request, bean);
        });
        return found;
    }

    private Bean<?> chosen(Class<?> request, Set<Bean<?>> all) {
        try {
            return beans.resolve(all);
        } catch (AmbiguousResolutionException e) {
            Iterator<Bean<?>> each = all.iterator();
            throw twoHandlers(request, each.next(), each.next());
        }
    }

    private static RuntimeException twoHandlers(Class<?> request, Bean<?> one, Bean<?> another) {
        return Refusals.twoHandlers(
                request.getName(),
                one.getBeanClass().getName(),
                another.getBeanClass().getName());
    }

    private static Class<?> request(Bean<?> bean, Class<?> handler) {
        Type handled = handled(bean, handler);
        if (handled instanceof ParameterizedType type
                && type.getActualTypeArguments()[0] instanceof Class<?> request
                && request != JobRequest.class) {
            return request;
        }
        throw Refusals.noRequest(bean.getBeanClass().getName(), handler);
    }

    /** The type of handler that the bean is, among its types. */
    private static Type handled(Bean<?> bean, Class<?> handler) {
        for (Type type : bean.getTypes()) {
            if (type instanceof ParameterizedType parameterized && parameterized.getRawType() == handler) {
                return type;
            }
        }
        return handler;
    }
}
