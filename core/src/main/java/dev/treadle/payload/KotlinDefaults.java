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
import tools.jackson.databind.module.SimpleModule;

/**
 * Makes objects of Kotlin classes, with the default value of each parameter that the JSON leaves out: a job that was stored
 * before a parameter was added gets what the code of today says. kotlinc makes a second constructor for this, which takes
 * bits for what is left out. Thread-safe.
 */
final class KotlinDefaults extends StdValueInstantiator {
    private static final String MARKER = "kotlin.jvm.internal.DefaultConstructorMarker";

    private final Constructor<?> filling;

    private KotlinDefaults(StdValueInstantiator usual, Constructor<?> filling) {
        super(usual);
        this.filling = filling;
    }

    /** Takes the place of the usual instantiators of all classes that have such a constructor. */
    static final class Registration extends SimpleModule {
        private static final long serialVersionUID = 1L;

        @Override
        public void setupModule(SetupContext context) {
            super.setupModule(context);
            context.addValueInstantiators(new Replacing());
        }
    }

    private static final class Replacing extends ValueInstantiators.Base {
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
                    && types[last].getName().equals(MARKER)) {
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
        int count = parameters.length;
        int[] missing = new int[masks(count)];
        boolean any = false;
        for (SettableBeanProperty parameter : parameters) {
            if (!given.hasParameter(parameter)) {
                int index = parameter.getCreatorIndex();
                missing[index / Integer.SIZE] |= 1 << index % Integer.SIZE;
                any = true;
            }
        }
        if (!any) {
            return super.createFromObjectWith(context, parameters, given);
        }
        Object[] all = Arrays.copyOf(given.getParameters(context, parameters), count + missing.length + 1);
        for (int i = 0; i < missing.length; i++) {
            all[count + i] = missing[i];
        }
        try {
            return filling.newInstance(all);
        } catch (InvocationTargetException e) {
            return context.handleInstantiationProblem(getValueClass(), null, e.getCause());
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            return context.handleInstantiationProblem(getValueClass(), null, e);
        }
    }
}
