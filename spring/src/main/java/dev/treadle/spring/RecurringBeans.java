package dev.treadle.spring;

import dev.treadle.api.RecurringJobs;
import dev.treadle.api.TreadleSetupException;
import dev.treadle.schedule.Recurring;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/** Finds the methods of beans that are {@link Recurring}, and declares them. Creates no bean. */
final class RecurringBeans {
    private final ConfigurableListableBeanFactory beans;
    private final RecurringJobs jobs;
    private final Map<String, String> places = new LinkedHashMap<>();

    RecurringBeans(ConfigurableListableBeanFactory beans, RecurringJobs jobs) {
        this.beans = beans;
        this.jobs = jobs;
    }

    /** @throws TreadleSetupException if one cannot be declared */
    void declare() {
        for (String name : beans.getBeanDefinitionNames()) {
            Class<?> type =
                    ScopedProxyUtils.isScopedTarget(name) ? null : AutoProxyUtils.determineTargetClass(beans, name);
            if (type != null && AnnotationUtils.isCandidateClass(type, Recurring.class)) {
                MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<Recurring>)
                                method -> AnnotatedElementUtils.findMergedAnnotation(method, Recurring.class))
                        .forEach((method, recurring) -> declare(name, type, method, recurring));
            }
        }
    }

    private void declare(String bean, Class<?> type, Method method, Recurring recurring) {
        String place = type.getName() + "." + method.getName() + "()";
        String id = resolved(recurring.id()).strip();
        String before = places.putIfAbsent(id, place + " of the bean '" + bean + "'");
        if (before != null) {
            throw new TreadleSetupException(
                    "The recurring job '" + id + "' is declared twice: by " + before + " and by " + place
                            + " of the bean '" + bean + "'.",
                    "Give each @Recurring an id of its own.",
                    null);
        }
        if (!beans.isTypeMatch(bean, type)) {
            throw new TreadleSetupException(
                    "The @Recurring method " + place + " cannot be called, because the bean '" + bean
                            + "' is a JDK proxy, which shows interfaces only.",
                    "Let Spring proxy its class (proxyTargetClass), or move the method to a bean of its own.",
                    null);
        }
        jobs.declare(recurring, type, method, this::resolved);
    }

    private String resolved(String text) {
        String resolved = beans.resolveEmbeddedValue(text);
        return resolved == null ? "" : resolved;
    }
}
