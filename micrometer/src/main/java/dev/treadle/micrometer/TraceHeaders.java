package dev.treadle.micrometer;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The trace and the span that headers name: {@code traceparent} of W3C, or {@code b3} and {@code X-B3-…} of Zipkin.
 *
 * @param traceId 32 or 16 hexadecimal digits
 * @param spanId  16 hexadecimal digits
 * @param sampled whether the trace is recorded; null if that was left open
 */
record TraceHeaders(String traceId, String spanId, @Nullable Boolean sampled) {
    private static final Pattern W3C = Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");
    private static final Pattern B3 =
            Pattern.compile("([0-9a-f]{32}|[0-9a-f]{16})-([0-9a-f]{16})(?:-([01d]))?(?:-[0-9a-f]{16})?");
    private static final int SAMPLED_BIT = 1;

    /** What the headers of a job name; null if they name no trace that can be read. */
    static @Nullable TraceHeaders in(Map<String, String> headers) {
        Matcher w3c = W3C.matcher(headers.getOrDefault("traceparent", ""));
        if (w3c.matches()) {
            boolean sampled = (Integer.parseInt(w3c.group(3), 16) & SAMPLED_BIT) != 0;
            return checked(w3c.group(1), w3c.group(2), sampled);
        }
        String single = headers.get("b3");
        Matcher b3 = B3.matcher(single == null ? inSeveral(headers) : single);
        return b3.matches()
                ? checked(
                        b3.group(1),
                        b3.group(2),
                        b3.group(3) == null ? null : !b3.group(3).equals("0"))
                : null;
    }

    /** As the one header of B3 would say it. */
    private static String inSeveral(Map<String, String> headers) {
        String sampled = headers.get("X-B3-Sampled");
        return headers.getOrDefault("X-B3-TraceId", "") + "-" + headers.getOrDefault("X-B3-SpanId", "")
                + (sampled == null ? "" : "-" + sampled);
    }

    /** Zeros are how both formats write that there is none. */
    private static @Nullable TraceHeaders checked(String traceId, String spanId, @Nullable Boolean sampled) {
        return traceId.matches("0+") || spanId.matches("0+") ? null : new TraceHeaders(traceId, spanId, sampled);
    }
}
