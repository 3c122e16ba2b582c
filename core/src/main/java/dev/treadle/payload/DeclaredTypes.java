package dev.treadle.payload;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.stream.Stream;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.type.TypeBindings;
import tools.jackson.databind.type.TypeFactory;

/** The types that a method's arguments are bound to. */
public final class DeclaredTypes {
    private DeclaredTypes() {}

    /**
     * The declared parameter types, in which variables of a generic superclass stand for what the type binds them to:
     * {@code handle(T)} of {@code Importer<T>} takes an order on {@code OrderImporter extends Importer<Order>}.
     *
     * @param type   the class the method is called on
     * @param method its own or an inherited method
     */
    public static Type[] of(Class<?> type, Method method) {
        Type[] declared = method.getGenericParameterTypes();
        Class<?> owner = method.getDeclaringClass();
        if (owner == type || owner.getTypeParameters().length == 0) {
            return declared;
        }
        TypeFactory types = TypeFactory.createDefaultInstance();
        JavaType bound = types.constructType(type).findSuperType(owner);
        TypeBindings bindings = bound.getBindings();
        return Stream.of(declared)
                .map(t -> t instanceof Class<?> ? t : types.resolveMemberType(t, bindings))
                .toArray(Type[]::new);
    }

    /** A type for people. */
    static String name(Type type) {
        return type instanceof JavaType bound ? bound.toCanonical() : type.getTypeName();
    }
}
