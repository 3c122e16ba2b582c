package dev.treadle.job;

import org.jspecify.annotations.Nullable;

/**
 * What a job calls, as data: names and arguments, no code. A name alone gives no permission: a node runs an invocation
 * only if its own rules allow the target.
 *
 * @param type      binary name of the request class, or of the class that declares the method
 * @param method    name and erased parameter types such as {@code generate(long,java.lang.String)}; null for a typed
 *                  request, whose registered handler is called
 * @param arguments the arguments as a JSON array, or the request as a JSON object
 */
public record Invocation(String type, @Nullable String method, String arguments) {

    /** The target without the arguments: {@code com.acme.Slips#generate(long)} or {@code com.acme.GenerateSlip}. */
    public String target() {
        return method == null ? type : type + "#" + method;
    }
}
