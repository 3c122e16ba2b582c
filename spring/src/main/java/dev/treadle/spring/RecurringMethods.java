package dev.treadle.spring;

import dev.treadle.api.JobOptions;
import dev.treadle.api.JobScheduler;
import dev.treadle.api.RecurringJobs;
import dev.treadle.job.NotCapturableException;
import dev.treadle.lifecycle.RecurringJob;
import dev.treadle.lifecycle.RecurringJob.Status;
import dev.treadle.schedule.Missed;
import dev.treadle.schedule.RecurringRules;
import dev.treadle.schedule.Schedule;
import java.lang.reflect.Method;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/** Finds the methods of beans that are {@link Recurring}, and declares them. Creates no bean. */
final class RecurringMethods {
    /** Who pauses and resumes what is switched off and on, as people see it. */
    static final String BY = "@Recurring";

    private final ConfigurableListableBeanFactory beans;
    private final JobScheduler jobs;
    private final Map<String, String> places = new LinkedHashMap<>();

    RecurringMethods(ConfigurableListableBeanFactory beans, JobScheduler jobs) {
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
        String id = resolved(recurring.id());
        String before = places.putIfAbsent(id, place + " of the bean '" + bean + "'");
        if (before != null) {
            throw new TreadleSetupException(
                    "The recurring job '" + id + "' is declared twice: by " + before + " and by " + place
                            + " of the bean '" + bean + "'.",
                    "Give each @Recurring an id of its own.",
                    null);
        }
        if (method.getParameterCount() > 0) {
            throw new TreadleSetupException(
                    "The @Recurring method " + type.getName() + "." + method.getName() + " has parameters.",
                    "Nobody gives it arguments: let it have none, and read what it needs.",
                    null);
        }
        if (!beans.isTypeMatch(bean, type)) {
            throw new TreadleSetupException(
                    "The @Recurring method " + place + " cannot be called, because the bean '" + bean
                            + "' is a JDK proxy, which shows interfaces only.",
                    "Let Spring proxy its class (proxyTargetClass), or move the method to a bean of its own.",
                    null);
        }
        try {
            declareAs(id, type, method, recurring);
        } catch (NotCapturableException | IllegalArgumentException | DateTimeException e) {
            throw new TreadleSetupException(
                    "The @Recurring method " + place + " cannot be declared: " + e.getMessage(),
                    "Correct the annotation, or the property that its placeholder names.",
                    e);
        }
    }

    private void declareAs(String id, Class<?> type, Method method, Recurring recurring) {
        String cron = resolved(recurring.cron());
        String every = resolved(recurring.every());
        String delay = resolved(recurring.delay());
        long given = Stream.of(cron, every, delay).filter(one -> !one.isEmpty()).count();
        if (given != 1) {
            throw new IllegalArgumentException(
                    "Exactly one of cron, every and delay says when it recurs, and " + given + " are given.");
        }
        if ((cron + every + delay).equals(Recurring.OFF)) {
            switchOff(id);
            return;
        }
        String queue = resolved(recurring.queue());
        RecurringJobs recurringJobs = jobs.with(
                        queue.isEmpty() ? JobOptions.DEFAULT : JobOptions.DEFAULT.withQueue(queue))
                .recurring();
        Schedule schedule = !cron.isEmpty()
                ? Schedule.cron(cron, zone(resolved(recurring.zone())))
                : !every.isEmpty() ? Schedule.every(duration(every)) : Schedule.delay(duration(delay));
        recurringJobs.declare(id, schedule, rules(recurring), type, method.getName());
        switchOn(id);
    }

    private RecurringRules rules(Recurring recurring) {
        String jitter = resolved(recurring.jitter());
        return RecurringRules.DEFAULT
                .withMissed(Missed.parse(resolved(recurring.missed())))
                .withOverlap(recurring.overlap())
                .withJitter(jitter.isEmpty() ? Duration.ZERO : duration(jitter));
    }

    private static ZoneId zone(String name) {
        return name.isEmpty() ? ZoneOffset.UTC : ZoneId.of(name);
    }

    private static Duration duration(String text) {
        return DurationFormatterUtils.detectAndParse(text);
    }

    /** An earlier declaration may be stored, and would go on. */
    private void switchOff(String id) {
        if (jobs.recurring().find(id).isPresent()) {
            jobs.recurring().pause(id, BY, "its schedule is \"" + Recurring.OFF + "\"");
        }
    }

    /** Only what was switched off here: a pause by an operator stays. */
    private void switchOn(String id) {
        RecurringJob.Standing standing =
                jobs.recurring().find(id).map(RecurringJob::standing).orElse(null);
        if (standing != null && standing.status() == Status.PAUSED && Objects.equals(standing.by(), BY)) {
            jobs.recurring().resume(id, BY, "it has a schedule again");
        }
    }

    private String resolved(String text) {
        String resolved = beans.resolveEmbeddedValue(text);
        return resolved == null ? "" : resolved.strip();
    }
}
