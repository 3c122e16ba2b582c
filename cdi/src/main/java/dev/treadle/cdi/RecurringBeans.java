package dev.treadle.cdi;

import dev.treadle.api.RecurringJobs;
import dev.treadle.api.TreadleSetupException;
import dev.treadle.schedule.Recurring;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Declares the methods of beans that are {@link Recurring}. Creates no bean. */
final class RecurringBeans {
    private final FoundBeans found;
    private final ApplicationProperties properties;
    private final RecurringJobs jobs;
    private final Map<String, String> places = new LinkedHashMap<>();

    RecurringBeans(FoundBeans found, ApplicationProperties properties, RecurringJobs jobs) {
        this.found = found;
        this.properties = properties;
        this.jobs = jobs;
    }

    /** @throws TreadleSetupException if one cannot be declared */
    void declare() {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        for (String name : found.recurring()) {
            try {
                declareMethods(Class.forName(name, false, loader));
            } catch (ClassNotFoundException e) {
                throw new TreadleSetupException(
                        "The bean " + name + " has @Recurring methods, and its class cannot be loaded at the start.",
                        "Start the application on a thread whose context class loader knows its classes.",
                        e);
            }
        }
    }

    private void declareMethods(Class<?> type) {
        Set<String> overridden = new HashSet<>();
        for (Class<?> next = type; next != null; next = next.getSuperclass()) {
            for (Method method : next.getDeclaredMethods()) {
                Recurring recurring = method.getAnnotation(Recurring.class);
                if (recurring != null && !method.isBridge() && overridden.add(method.getName())) {
                    declare(type, method, recurring);
                }
            }
        }
    }

    private void declare(Class<?> type, Method method, Recurring recurring) {
        String place = type.getName() + "." + method.getName() + "()";
        String id;
        try {
            id = properties.resolved(recurring.id()).strip();
        } catch (IllegalArgumentException e) {
            throw new TreadleSetupException(
                    "The @Recurring method " + place + " cannot be declared: " + e.getMessage(),
                    "Its id must stay the same from release to release, so write it out.",
                    e);
        }
        String before = places.putIfAbsent(id, place);
        if (before != null) {
            throw new TreadleSetupException(
                    "The recurring job '" + id + "' is declared twice: by " + before + " and by " + place + ".",
                    "Give each @Recurring an id of its own.",
                    null);
        }
        jobs.declare(recurring, type, method, properties::resolved);
    }
}
