package dev.treadle.payload;

import dev.treadle.job.Invocation;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes unique names from the target of a job and some of its arguments. Equal values give equal names. Thread-safe.
 */
public final class ChosenArguments {
    private ChosenArguments() {}

    /**
     * @param chosen fields of a request, or positions from 0 of a call's arguments; null for all
     * @return the SHA-256 of target and values as hexadecimal digits
     * @throws IllegalArgumentException if there is no such field or position
     */
    public static String name(Invocation invocation, @Nullable List<String> chosen) {
        return name(invocation.target(), invocation, chosen);
    }

    /**
     * The same for a job whose target has another name.
     *
     * @param target the target that the name is made of
     */
    public static String name(String target, Invocation invocation, @Nullable List<String> chosen) {
        StringBuilder text = new StringBuilder(target);
        if (chosen == null) {
            text.append('\n').append(invocation.arguments());
        } else if (!chosen.isEmpty()) {
            Map<String, String> arguments = JsonParts.of(invocation.arguments(), Set.of(), "");
            for (String one : chosen) {
                text.append('\n').append(one).append('\n').append(value(invocation, arguments, one));
            }
        }
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    private static String value(Invocation invocation, Map<String, String> arguments, String one) {
        String value = arguments.get(one);
        if (value == null) {
            throw new IllegalArgumentException("Jobs calling " + invocation.target() + " have no argument '" + one
                    + "' to be unique by. Give "
                    + (invocation.method() == null
                            ? "fields of the request: " + arguments.keySet()
                            : "positions from 0 to " + (arguments.size() - 1))
                    + ".");
        }
        return value;
    }
}
