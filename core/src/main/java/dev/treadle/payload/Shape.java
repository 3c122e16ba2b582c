package dev.treadle.payload;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.introspect.ClassIntrospector;
import tools.jackson.databind.json.JsonMapper;

/**
 * The fields that make up an object: those of the application's classes, inherited ones included. Fields that are
 * {@code transient} or that JSON ignores are left out.
 *
 * @param fields      the fields, readable
 * @param isReadable  whether they can be read; false if a module does not open them to us
 * @param isPlatforms whether it also inherits fields from a class of the platform
 */
record Shape(List<Field> fields, boolean isReadable, boolean isPlatforms) {
    static Shape of(Class<?> type, JsonMapper mapper) {
        List<Field> fields = new ArrayList<>();
        boolean isReadable = true;
        Class<?> owner = type;
        for (; owner != null && !NeverTargets.isPlatform(owner); owner = owner.getSuperclass()) {
            for (Field field : owner.getDeclaredFields()) {
                if (isKept(field)) {
                    fields.add(field);
                    isReadable &= open(field);
                }
            }
        }
        Set<String> ignored = fields.isEmpty() ? Set.of() : ignored(type, mapper);
        fields.removeIf(field -> ignored.contains(field.getName()));
        return new Shape(List.copyOf(fields), isReadable, hasFields(owner));
    }

    private static boolean open(Field field) {
        try {
            field.setAccessible(true);
            return true;
        } catch (InaccessibleObjectException e) {
            return false;
        }
    }

    private static boolean isKept(Field field) {
        return isState(field)
                && (!field.isAnnotationPresent(JsonIgnore.class)
                        || !field.getAnnotation(JsonIgnore.class).value());
    }

    private static boolean isState(Field field) {
        return !Modifier.isStatic(field.getModifiers())
                && !Modifier.isTransient(field.getModifiers())
                && !field.isSynthetic();
    }

    private static boolean hasFields(Class<?> platform) {
        for (Class<?> owner = platform; owner != null; owner = owner.getSuperclass()) {
            for (Field field : owner.getDeclaredFields()) {
                if (isState(field)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The properties that annotations on accessors or on the class leave out. */
    private static Set<String> ignored(Class<?> type, JsonMapper mapper) {
        JavaType bound = mapper.constructType(type);
        ClassIntrospector introspector = mapper.serializationConfig().classIntrospectorInstance();
        BeanDescription description =
                introspector.introspectForSerialization(bound, introspector.introspectClassAnnotations(bound));
        Set<String> ignored = new java.util.HashSet<>(description.getIgnoredPropertyNames());
        // why not from the description: only Jackson 3.2 has it there, and Spring Boot 4.1 brings 3.1
        var atClass = mapper.serializationConfig().getDefaultPropertyIgnorals(type, description.getClassInfo());
        if (atClass != null) {
            ignored.addAll(atClass.getIgnored());
        }
        return ignored;
    }
}
