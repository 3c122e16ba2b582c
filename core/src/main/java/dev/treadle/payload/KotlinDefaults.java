package dev.treadle.payload;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.ValueInstantiators;
import tools.jackson.databind.deser.bean.PropertyValueBuffer;
import tools.jackson.databind.deser.std.StdValueInstantiator;
import tools.jackson.databind.introspect.AnnotatedConstructor;

/**
 * Makes objects of Kotlin classes as Kotlin's own code would. Each parameter that the JSON leaves out has its default value: a
 * job that was stored before a parameter was added gets what the code of today says. kotlinc makes a second constructor for
 * this, which takes bits for what is left out. Thread-safe.
 */
final class KotlinDefaults extends StdValueInstantiator {
    private final Constructor<?> filling;

    private KotlinDefaults(StdValueInstantiator usual, Constructor<?> filling) {
        super(usual);
        this.filling = filling;
    }

    /** Takes the place of the usual instantiators of all classes that have such a constructor. */
    static final class Replacing extends ValueInstantiators.Base {
        @Override
        public ValueInstantiator modifyValueInstantiator(
                DeserializationConfig config, BeanDescription.Supplier type, ValueInstantiator usual) {
            if (usual.getClass() == StdValueInstantiator.class
                    && usual.getWithArgsCreator() instanceof AnnotatedConstructor creator) {
                Constructor<?> filling = filling(creator.getAnnotated());
                return filling == null ? usual : new KotlinDefaults((StdValueInstantiator) usual, filling);
            }
            return usual;
        }
    }

    private static @Nullable Constructor<?> filling(Constructor<?> usual) {
        int count = usual.getParameterCount();
        Class<?>[] wanted = Arrays.copyOf(usual.getParameterTypes(), count + masks(count) + 1);
        Arrays.fill(wanted, count, wanted.length - 1, int.class);
        for (Constructor<?> other : usual.getDeclaringClass().getDeclaredConstructors()) {
            Class<?>[] types = other.getParameterTypes();
            int last = types.length - 1;
            if (other.isSynthetic()
                    && last == wanted.length - 1
                    && types[last].getName().equals(KotlinTypes.MARKER)) {
                wanted[last] = types[last];
                if (Arrays.equals(types, wanted) && other.trySetAccessible()) {
                    return other;
                }
            }
        }
        return null;
    }

    private static int masks(int parameters) {
        return (parameters + Integer.SIZE - 1) / Integer.SIZE;
    }

    @Override
    public Object createFromObjectWith(
            DeserializationContext context, SettableBeanProperty[] parameters, PropertyValueBuffer given) {
        int[] missing = new int[masks(parameters.length)];
        boolean isAnyMissing = false;
        for (SettableBeanProperty parameter : parameters) {
            if (!given.hasParameter(parameter)) {
                int index = parameter.getCreatorIndex();
                missing[index / Integer.SIZE] |= 1 << index % Integer.SIZE;
                isAnyMissing = true;
            }
        }
        @Nullable Object[] values = given.getParameters(context, parameters);
        if (!isAnyMissing) {
            return createFromObjectWith(context, values);
        }
        try {
            return filling.newInstance(filled(values, missing));
        } catch (InvocationTargetException e) {
            return context.handleInstantiationProblem(getValueClass(), null, e.getCause());
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            return context.handleInstantiationProblem(getValueClass(), null, e);
        }
    }

    private static @Nullable Object[] filled(@Nullable Object[] values, int[] missing) {
        @Nullable Object[] all = Arrays.copyOf(values, values.length + missing.length + 1);
        for (int i = 0; i < missing.length; i++) {
            all[values.length + i] = missing[i];
        }
        return all;
    }
}
