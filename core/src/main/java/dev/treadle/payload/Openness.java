package dev.treadle.payload;

import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

/** Checks whether a module opens its types to Jackson. If it does not, Jackson's own message does not name the cure. */
final class Openness {
    private static final Module JACKSON = JsonMapper.class.getModule();

    private Openness() {}

    /** The line that has to be added to the module of this type; empty if that is not the cause. */
    static Optional<String> remedy(Type type) {
        return classes(type)
                .filter(Openness::isClosed)
                .findFirst()
                .map(c -> " Its module " + c.getModule().getName()
                        + " does not let Jackson at it: add this line to its module-info.java: opens "
                        + c.getPackageName() + " to " + JACKSON.getName() + ";");
    }

    private static boolean isClosed(Class<?> type) {
        Module module = type.getModule();
        String name = type.getPackageName();
        boolean isPublic = Modifier.isPublic(type.getModifiers()) && module.isExported(name, JACKSON);
        return !NeverTargets.isPlatform(type) && !isPublic && !module.isOpen(name, JACKSON);
    }

    private static Stream<Class<?>> classes(Type type) {
        if (type instanceof ParameterizedType p) {
            return Stream.concat(
                    classes(p.getRawType()),
                    Stream.of(p.getActualTypeArguments()).flatMap(Openness::classes));
        }
        if (type instanceof JavaType j) {
            return Stream.of(j.getRawClass());
        }
        return type instanceof Class<?> c ? Stream.of(c.isArray() ? c.getComponentType() : c) : Stream.empty();
    }
}
