package dev.treadle.spring;

import dev.treadle.job.JobActivator;
import org.springframework.beans.factory.BeanFactory;

/** Supplies beans, by their type. A type that has no bean, or several and no primary one, is refused with Spring's words. */
record BeanActivator(BeanFactory beans) implements JobActivator {
    @Override
    public <T> T activate(Class<T> type) {
        return beans.getBean(type);
    }
}
