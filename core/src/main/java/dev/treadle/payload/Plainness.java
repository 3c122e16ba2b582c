package dev.treadle.payload;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.HashSet;
import java.util.Set;

/**
 * Whether there is only one way to write a class as JSON: it has no annotations except ours and the language's, neither
 * on itself nor on members or supertypes; it has one constructor, and no method that the binding would take for a
 * further property.
 */
final class Plainness {
    private Plainness() {}

    static boolean isPlainEnum(Class<?> type) {
        return isUnannotated(type);
    }

    static boolean isPlainRecord(Class<?> type) {
        return type.getTypeParameters().length == 0
                && type.getDeclaredConstructors().length == 1
                && isUnannotated(type)
                && !hasMoreProperties(type);
    }

    private static boolean hasMoreProperties(Class<?> type) {
        for (RecordComponent component : type.getRecordComponents()) {
            if (isGetterName(component.getName()) || component.getName().startsWith("set")) {
                return true;
            }
        }
        for (Method method : type.getMethods()) {
            if (isProperty(method)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isProperty(Method method) {
        return method.getParameterCount() == 0
                && method.getDeclaringClass() != Object.class
                && isGetterName(method.getName());
    }

    private static boolean isGetterName(String name) {
        return name.startsWith("get") || name.startsWith("is");
    }

    private static boolean isUnannotated(Class<?> type) {
        for (Class<?> part : withSupertypes(type, new HashSet<>())) {
            if (isAnnotated(part)
                    || isAnyAnnotated(part.getDeclaredFields())
                    || isAnyAnnotated(part.getDeclaredMethods())) {
                return false;
            }
            for (Constructor<?> constructor : part.getDeclaredConstructors()) {
                if (isAnnotated(constructor) || isAnyAnnotated(constructor.getParameters())) {
                    return false;
                }
            }
        }
        return !type.isRecord() || !isAnyAnnotated(type.getRecordComponents());
    }

    private static boolean isAnyAnnotated(AnnotatedElement[] elements) {
        for (AnnotatedElement element : elements) {
            if (isAnnotated(element)) {
                return true;
            }
        }
        return false;
    }

    private static Set<Class<?>> withSupertypes(Class<?> type, Set<Class<?>> found) {
        if (!NeverTargets.isPlatform(type) && found.add(type)) {
            if (type.getSuperclass() != null) {
                withSupertypes(type.getSuperclass(), found);
            }
            for (Class<?> one : type.getInterfaces()) {
                withSupertypes(one, found);
            }
        }
        return found;
    }

    private static boolean isAnnotated(AnnotatedElement element) {
        for (Annotation annotation : element.getDeclaredAnnotations()) {
            String name = annotation.annotationType().getName();
            // any other one counts, because it may be composed of annotations of the binding
            if (!name.startsWith("java.lang.") && !name.startsWith("dev.treadle.job.")) {
                return true;
            }
        }
        return false;
    }
}
