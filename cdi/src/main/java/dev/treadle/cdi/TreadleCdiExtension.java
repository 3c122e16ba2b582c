package dev.treadle.cdi;

import dev.treadle.api.TreadleSetupException;
import dev.treadle.job.JobDefaults;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobRequestHandler;
import dev.treadle.job.JobType;
import dev.treadle.job.ResultHandler;
import dev.treadle.schedule.Recurring;
import jakarta.enterprise.inject.build.compatible.spi.BeanInfo;
import jakarta.enterprise.inject.build.compatible.spi.BuildCompatibleExtension;
import jakarta.enterprise.inject.build.compatible.spi.ClassConfig;
import jakarta.enterprise.inject.build.compatible.spi.Enhancement;
import jakarta.enterprise.inject.build.compatible.spi.Messages;
import jakarta.enterprise.inject.build.compatible.spi.Registration;
import jakarta.enterprise.inject.build.compatible.spi.Synthesis;
import jakarta.enterprise.inject.build.compatible.spi.SyntheticComponents;
import jakarta.enterprise.inject.build.compatible.spi.Validation;
import jakarta.enterprise.inject.literal.NamedLiteral;
import jakarta.enterprise.lang.model.declarations.ClassInfo;
import jakarta.enterprise.lang.model.declarations.MethodInfo;
import jakarta.enterprise.lang.model.types.Type;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the beans of an application when it is deployed; in Quarkus that is when it is built. Finds recurring methods,
 * and refuses what could not work. Made by the container.
 */
public final class TreadleCdiExtension implements BuildCompatibleExtension {
    private final Map<String, List<Handler>> handlers = new TreeMap<>();
    private final Set<String> recurring = new TreeSet<>();
    private final List<TreadleSetupException> problems = new ArrayList<>();

    /** @param priority null if it is no alternative */
    private record Handler(String bean, @Nullable Integer priority) {}

    /** Made by the container. */
    public TreadleCdiExtension() {}

    /** Quarkus removes beans that nothing injects, but not those with a name. A name is no qualifier that stands in the way. */
    @Enhancement(types = Object.class, withSubtypes = true, withAnnotations = Recurring.class)
    public void keep(ClassConfig type) {
        if (!type.info().hasAnnotation(Named.class)) {
            type.addAnnotation(NamedLiteral.of(type.info().name()));
        }
    }

    /** Is shown each bean. */
    @Registration(types = Object.class)
    public void look(BeanInfo bean) {
        for (Type type : bean.types()) {
            if (isOf(type, JobRequestHandler.class)) {
                handler(bean, type, JobRequestHandler.class);
            } else if (isOf(type, ResultHandler.class)) {
                handler(bean, type, ResultHandler.class);
            }
        }
        ClassInfo type = typeOf(bean);
        if (type != null) {
            recurringMethods(type);
        }
    }

    /** Hands what was found to the running application. */
    @Synthesis
    public void pass(SyntheticComponents components) {
        components
                .addBean(FoundBeans.class)
                .type(FoundBeans.class)
                .scope(Singleton.class)
                .withParam(FoundBeansCreator.RECURRING, recurring.toArray(String[]::new))
                .createWith(FoundBeansCreator.class);
    }

    /** Fails the deployment of what could not work. */
    @Validation
    public void refuse(Messages messages) {
        handlers.forEach((request, all) -> {
            List<Handler> chosen = chosen(all);
            if (chosen.size() > 1) {
                problems.add(Refusals.twoHandlers(
                        request, chosen.get(0).bean(), chosen.get(1).bean()));
            }
        });
        problems.forEach(messages::error);
    }

    private void handler(BeanInfo bean, Type type, Class<?> handler) {
        Type request = type.isParameterizedType()
                ? type.asParameterizedType().typeArguments().get(0)
                : type;
        String name = name(bean);
        if (!request.isClass() || isOf(request, handler) || isOf(request, JobRequest.class)) {
            problems.add(Refusals.noRequest(name, handler));
            return;
        }
        String requested = request.asClass().declaration().name();
        if (bean.isClassBean()) {
            for (Class<? extends Annotation> annotation : List.of(JobType.class, JobDefaults.class)) {
                if (bean.declaringClass().hasAnnotation(annotation)) {
                    problems.add(Refusals.annotated(name, annotation, requested));
                }
            }
        }
        handlers.computeIfAbsent(requested, none -> new ArrayList<>())
                .add(new Handler(name, bean.isAlternative() ? bean.priority() : null));
    }

    /** As the container will choose: alternatives before all others, and of these the one with the highest priority. */
    private static List<Handler> chosen(List<Handler> all) {
        int highest = all.stream()
                .mapToInt(one -> one.priority() == null ? Integer.MIN_VALUE : one.priority())
                .max()
                .orElse(Integer.MIN_VALUE);
        return all.stream()
                .filter(one -> (one.priority() == null ? Integer.MIN_VALUE : one.priority()) == highest)
                .toList();
    }

    private void recurringMethods(ClassInfo type) {
        for (MethodInfo method : type.methods()) {
            if (method.hasAnnotation(Recurring.class)) {
                if (!method.parameters().isEmpty()) {
                    problems.add(Refusals.parameters(type.name(), method.name()));
                }
                recurring.add(type.name());
            }
        }
    }

    /** The class that jobs are called on; null if the container does not tell. */
    private static @Nullable ClassInfo typeOf(BeanInfo bean) {
        if (bean.isClassBean()) {
            return bean.declaringClass();
        }
        Type produced = bean.isProducerMethod()
                ? bean.producerMethod().returnType()
                : bean.isProducerField() ? bean.producerField().type() : null;
        return produced != null && produced.isClass() ? produced.asClass().declaration() : null;
    }

    private static String name(BeanInfo bean) {
        if (bean.isSynthetic()) {
            return "that an extension has made";
        }
        String type = bean.declaringClass().name();
        return bean.isProducerMethod()
                ? type + "." + bean.producerMethod().name() + "()"
                : bean.isProducerField() ? type + "." + bean.producerField().name() : type;
    }

    private static boolean isOf(Type type, Class<?> expected) {
        ClassInfo declared = type.isClass()
                ? type.asClass().declaration()
                : type.isParameterizedType() ? type.asParameterizedType().declaration() : null;
        return declared != null && declared.name().equals(expected.getName());
    }
}
