package dev.treadle.payload;

import dev.treadle.job.JobContext;
import dev.treadle.job.JobRequest;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.stream.Stream;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.type.TypeBindings;
import tools.jackson.databind.type.TypeFactory;

/** Finds the types that a method's arguments and results are bound to. */
public final class DeclaredTypes {
    private DeclaredTypes() {}

    /**
     * The declared parameter types. Variables of a generic superclass are replaced by the types that the class binds
     * them to: {@code handle(T)} of {@code Importer<T>} takes an order on {@code OrderImporter extends
     * Importer<Order>}.
     *
     * <p>A receiver among the arguments is a {@link JobContext} here: neither is ever stored.
     *
     * @param type   the class the method is called on
     * @param method its own or an inherited method
     */
    public static Type[] of(Class<?> type, Method method) {
        Type[] declared = method.getGenericParameterTypes();
        if (MethodName.takesReceiver(method)) {
            declared[0] = JobContext.class;
        }
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

    /** The declared result of a method that is called on that type. */
    public static Type returned(Class<?> type, Method method) {
        Type declared = method.getGenericReturnType();
        Class<?> owner = method.getDeclaringClass();
        if (declared instanceof Class<?> || owner == type || owner.getTypeParameters().length == 0) {
            return declared;
        }
        TypeFactory types = TypeFactory.createDefaultInstance();
        return types.resolveMemberType(
                declared, types.constructType(type).findSuperType(owner).getBindings());
    }

    /** The result type that a request declares; Object if it declares none. */
    public static Type returned(Class<?> request) {
        JavaType[] result =
                TypeFactory.createDefaultInstance().constructType(request).findTypeParameters(JobRequest.class);
        return result.length == 1 ? result[0] : Object.class;
    }

    /** A type as messages show it. */
    static String name(Type type) {
        return type instanceof JavaType bound ? bound.toCanonical() : type.getTypeName();
    }
}
