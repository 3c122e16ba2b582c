package dev.treadle.cdi;

import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.build.compatible.spi.Parameters;
import jakarta.enterprise.inject.build.compatible.spi.SyntheticBeanCreator;
import java.util.List;

/** Hands what was found at deployment to the running application. Made by the container. */
public final class FoundBeansCreator implements SyntheticBeanCreator<FoundBeans> {
    static final String RECURRING = "recurring";

    /** Made by the container. */
    public FoundBeansCreator() {}

    @Override
    public FoundBeans create(Instance<Object> lookup, Parameters parameters) {
        return new FoundBeans(List.of(parameters.get(RECURRING, String[].class)));
    }
}
