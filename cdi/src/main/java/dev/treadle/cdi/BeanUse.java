package dev.treadle.cdi;

import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.context.spi.CreationalContext;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanContainer;
import java.lang.reflect.Type;

/**
 * An object of a bean, for one run. Used by one thread.
 *
 * @param instance the object, or what stands for it
 * @param end      what ends with the run
 */
record BeanUse(Object instance, Runnable end) implements AutoCloseable {
    /** @param type one of the bean's types */
    static BeanUse of(BeanContainer beans, Bean<?> bean, Type type) {
        CreationalContext<?> context = beans.createCreationalContext(bean);
        boolean given = false;
        try {
            Object instance = beans.getReference(bean, type, context);
            given = true;
            // other scopes keep the object, and what it needs, for longer than the run
            return new BeanUse(instance, bean.getScope() == Dependent.class ? context::release : () -> {});
        } finally {
            if (!given) {
                context.release();
            }
        }
    }

    @Override
    public void close() {
        end.run();
    }
}
