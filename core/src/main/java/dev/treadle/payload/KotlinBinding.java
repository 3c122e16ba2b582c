package dev.treadle.payload;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.Version;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedConstructor;
import tools.jackson.databind.introspect.AnnotatedField;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;
import tools.jackson.databind.module.SimpleModule;

/**
 * Lets the binding understand classes of Kotlin, without Kotlin's reflection: properties have the names that the code gives
 * them, value classes are written as their value ({@link KotlinValues}), and parameters that are left out have their defaults
 * ({@link KotlinDefaults}).
 */
final class KotlinBinding extends SimpleModule {
    private static final long serialVersionUID = 1L;

    @Override
    public void setupModule(SetupContext context) {
        super.setupModule(context);
        context.insertAnnotationIntrospector(new Names());
        context.addValueInstantiators(new KotlinDefaults.Replacing());
        context.addDeserializers(new KotlinValues.Readers());
        context.addKeyDeserializers(new KotlinValues.KeyReaders());
    }

    /** Whether annotations of the binding say what makes objects of a class. */
    static boolean isAnnotated(Class<?> type) {
        return Stream.of(type.getDeclaredConstructors(), type.getDeclaredMethods())
                .flatMap(Arrays::stream)
                .anyMatch(one -> one.isAnnotationPresent(JsonCreator.class));
    }

    /** What the binding would be told by annotations. */
    private static final class Names extends NopAnnotationIntrospector {
        private static final long serialVersionUID = 1L;

        @Override
        public Version version() {
            return Version.unknownVersion();
        }

        @Override
        public @Nullable String findImplicitPropertyName(MapperConfig<?> config, AnnotatedMember member) {
            return member instanceof AnnotatedMethod method ? KotlinTypes.property(method.getAnnotated()) : null;
        }

        @Override
        public @Nullable Boolean hasAsValue(MapperConfig<?> config, Annotated annotated) {
            return annotated instanceof AnnotatedField field
                            && KotlinTypes.isValueClass(field.getDeclaringClass())
                            && field.getAnnotated().equals(KotlinTypes.value(field.getDeclaringClass()))
                    ? true
                    : null;
        }

        @Override
        public JsonCreator.@Nullable Mode findCreatorAnnotation(MapperConfig<?> config, Annotated annotated) {
            return annotated instanceof AnnotatedConstructor constructor
                            && KotlinTypes.isHidden(constructor.getAnnotated())
                            && !isAnnotated(constructor.getDeclaringClass())
                    ? JsonCreator.Mode.PROPERTIES
                    : null;
        }
    }
}
