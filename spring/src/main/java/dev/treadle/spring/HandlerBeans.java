package dev.treadle.spring;

import dev.treadle.Treadle;
import dev.treadle.api.TreadleSetupException;
import dev.treadle.job.JobDefaults;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobRequestHandler;
import dev.treadle.job.JobType;
import dev.treadle.job.ResultHandler;
import java.lang.annotation.Annotation;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * Finds the beans that handle requests. A bean is only asked for when a job runs, so that handlers may themselves need the
 * scheduler.
 */
final class HandlerBeans {
    private final ListableBeanFactory beans;
    private final Map<Class<?>, String> known = new LinkedHashMap<>();

    HandlerBeans(ListableBeanFactory beans) {
        this.beans = beans;
    }

    /** @throws TreadleSetupException if two beans handle one type, or a bean does not say which type it handles */
    void register(Treadle.Builder builder) {
        for (String name : names(JobRequestHandler.class)) {
            if (!ScopedProxyUtils.isScopedTarget(name)) {
                handler(builder, request(name, JobRequestHandler.class), name);
            }
        }
        for (String name : names(ResultHandler.class)) {
            if (!ScopedProxyUtils.isScopedTarget(name)) {
                resultHandler(builder, request(name, ResultHandler.class), name);
            }
        }
    }

    private String[] names(Class<?> type) {
        return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false);
    }

    /** The bean's type argument was declared with the handler, so the casts hold. */
    @SuppressWarnings("unchecked")
    private <T extends JobRequest<Void>> void handler(Treadle.Builder builder, Class<?> request, String name) {
        builder.handler(
                (Class<T>) request,
                (arguments, job) -> ((JobRequestHandler<T>) beans.getBean(name)).run(arguments, job));
    }

    @SuppressWarnings("unchecked")
    private <T extends JobRequest<R>, R> void resultHandler(Treadle.Builder builder, Class<?> request, String name) {
        builder.resultHandler(
                (Class<T>) request,
                (arguments, job) -> ((ResultHandler<T, R>) beans.getBean(name)).run(arguments, job));
    }

    private Class<?> request(String name, Class<?> handler) {
        Class<?> request = ofDefinition(name, handler);
        if (request == null) {
            request = ofType(name, handler);
        }
        if (request == null) {
            throw new TreadleSetupException(
                    "The bean '" + name + "' is a " + handler.getSimpleName()
                            + ", and nothing says which requests it handles.",
                    "Declare its class, or the return type of its @Bean method, with a type argument such as "
                            + handler.getSimpleName()
                            + (handler == ResultHandler.class ? "<GenerateSlip, Slip>." : "<GenerateSlip>."),
                    null);
        }
        refuse(name, request, JobType.class);
        refuse(name, request, JobDefaults.class);
        String before = known.put(request, name);
        if (before != null) {
            throw new TreadleSetupException(
                    "Two beans handle jobs of " + request.getName() + ": '" + before + "' and '" + name + "'.",
                    "A request has one handler: remove one of the beans, or make two types of requests.",
                    null);
        }
        return request;
    }

    /** As core does for handlers that are not looked up by the name of a bean. */
    private void refuse(String name, Class<?> request, Class<? extends Annotation> annotation) {
        if (beans.findAnnotationOnBean(name, annotation, false) != null) {
            throw new TreadleSetupException(
                    "The bean '" + name + "' has @" + annotation.getSimpleName()
                            + ", which would not be seen where jobs are enqueued.",
                    "Put it on the request, " + request.getName() + ".",
                    null);
        }
    }

    /** As the definition says, which knows the return types of {@code @Bean} methods; null if it does not tell. */
    private @Nullable Class<?> ofDefinition(String name, Class<?> handler) {
        return beans instanceof ConfigurableListableBeanFactory factory && factory.containsBeanDefinition(name)
                ? argument(factory.getMergedBeanDefinition(name).getResolvableType(), handler)
                : null;
    }

    private @Nullable Class<?> ofType(String name, Class<?> handler) {
        Class<?> type = beans.getType(name, false);
        return type == null ? null : argument(ResolvableType.forClass(ClassUtils.getUserClass(type)), handler);
    }

    private static @Nullable Class<?> argument(ResolvableType type, Class<?> handler) {
        Class<?> argument = type.as(handler).getGeneric(0).resolve();
        return argument == null || argument == JobRequest.class ? null : argument;
    }
}
