package dev.treadle.cdi;

import dev.treadle.job.JobActivator;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.UnsatisfiedResolutionException;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanContainer;
import java.util.Set;

/**
 * Supplies beans, by their type: the one without qualifiers, or the only one. Thread-safe.
 *
 * @param runs end what was made for a run
 */
record BeanActivator(BeanContainer beans, RunScopes runs) implements JobActivator {
    @Override
    public <T> T activate(Class<T> type) {
        Set<Bean<?>> found = beans.getBeans(type);
        if (found.isEmpty()) {
            found = beans.getBeans(type, Any.Literal.INSTANCE);
        }
        Bean<?> bean = beans.resolve(found);
        if (bean == null) {
            throw new UnsatisfiedResolutionException("The application has no bean of " + type.getName() + ".");
        }
        BeanUse receiver = BeanUse.of(beans, bean, type);
        runs.receives(receiver);
        return type.cast(receiver.instance());
    }
}
