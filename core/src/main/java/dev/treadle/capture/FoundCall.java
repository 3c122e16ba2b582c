package dev.treadle.capture;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;

/**
 * The one call that a lambda makes, as its code states it.
 *
 * @param owner      binary name of the type it is called on
 * @param name       the method
 * @param descriptor its parameters and result, as in class files
 * @param receiver   the receiver; null if the method is static
 * @param arguments  the source of each argument
 */
record FoundCall(
        String owner,
        String name,
        String descriptor,
        @Nullable Value receiver,
        List<Value> arguments) {

    /** The method as stored: {@code generate(long)}. */
    String methodText() {
        return Stream.of(Type.getArgumentTypes(descriptor))
                .map(Type::getClassName)
                .collect(Collectors.joining(",", name + "(", ")"));
    }

    /** For people: {@code SalarySlipService.generate(long)}. */
    String shortText() {
        return owner.substring(owner.lastIndexOf('.') + 1) + "." + methodText();
    }
}
