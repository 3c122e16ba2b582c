package dev.treadle.payload;

import java.io.Serializable;
import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.type.TypeFactory;

/**
 * Finds the type that a lambda, a method reference or another object of a functional interface says it returns. The code
 * that is there now is asked, and never a stored name. Where it does not say, the answer is Object.
 */
public final class ReturnedTypes {
    private ReturnedTypes() {}

    /**
     * What a call says that it returns: all of its type for a method reference and an object of a class, and the class
     * alone for a lambda.
     *
     * @param call       what is called
     * @param functional its interface, whose only type parameter is what it returns
     */
    public static Type of(Serializable call, Class<?> functional) {
        Class<?> type = call.getClass();
        try {
            return type.isHidden() || type.isSynthetic() ? ofLambda(call) : ofClass(type, functional);
        } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
            // why so wide: the package may not be open to us, and then the result is judged as what it is
            return Object.class;
        }
    }

    private static Type ofClass(Class<?> type, Class<?> functional) {
        JavaType[] result =
                TypeFactory.createDefaultInstance().constructType(type).findTypeParameters(functional);
        return result.length == 1 ? result[0] : Object.class;
    }

    private static Type ofLambda(Serializable call) throws ReflectiveOperationException {
        Method writeReplace = call.getClass().getDeclaredMethod("writeReplace");
        writeReplace.setAccessible(true);
        if (!(writeReplace.invoke(call) instanceof SerializedLambda lambda)) {
            return Object.class;
        }
        ClassLoader loader = call.getClass().getClassLoader();
        Class<?> returned = MethodType.fromMethodDescriptorString(lambda.getInstantiatedMethodType(), loader)
                .wrap()
                .returnType();
        Type whole = ofReferred(lambda, loader);
        return whole instanceof ParameterizedType many && many.getRawType() == returned && !isOpen(many)
                ? many
                : returned;
    }

    /** What the method says that a reference refers to; null if it is the body of a lambda, which says less. */
    private static @Nullable Type ofReferred(SerializedLambda lambda, ClassLoader loader)
            throws ClassNotFoundException {
        Class<?> owner = Class.forName(lambda.getImplClass().replace('/', '.'), false, loader);
        for (Method method : owner.getDeclaredMethods()) {
            if (method.getName().equals(lambda.getImplMethodName())
                    && !method.isSynthetic()
                    && MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                            .toMethodDescriptorString()
                            .equals(lambda.getImplMethodSignature())) {
                return method.getGenericReturnType();
            }
        }
        return null;
    }

    private static boolean isOpen(Type type) {
        if (type instanceof ParameterizedType many) {
            return Arrays.stream(many.getActualTypeArguments()).anyMatch(ReturnedTypes::isOpen);
        }
        if (type instanceof GenericArrayType array) {
            return isOpen(array.getGenericComponentType());
        }
        return type instanceof TypeVariable<?> || type instanceof WildcardType;
    }
}
