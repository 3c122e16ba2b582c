package dev.treadle.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TraceHeadersTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String SPAN = "00f067aa0ba902b7";

    @Test
    void each_format_is_read() {
        assertEquals(
                new TraceHeaders(TRACE, SPAN, true),
                TraceHeaders.in(Map.of("traceparent", "00-" + TRACE + "-" + SPAN + "-01")));
        assertEquals(
                new TraceHeaders(TRACE, SPAN, false),
                TraceHeaders.in(Map.of("traceparent", "01-" + TRACE + "-" + SPAN + "-00-more")));
        assertEquals(
                new TraceHeaders(TRACE, SPAN, true),
                TraceHeaders.in(Map.of("b3", TRACE + "-" + SPAN + "-1-05e3ac9a4f6e3b90")));
        assertEquals(new TraceHeaders(TRACE, SPAN, null), TraceHeaders.in(Map.of("b3", TRACE + "-" + SPAN)));
        assertEquals(
                new TraceHeaders(SPAN, SPAN, false),
                TraceHeaders.in(Map.of("X-B3-TraceId", SPAN, "X-B3-SpanId", SPAN, "X-B3-Sampled", "0")));
    }

    @Test
    void what_is_no_trace_is_none() {
        for (String text : List.of(
                "",
                "0",
                "00-" + TRACE + "-" + SPAN,
                "00-" + TRACE + "-0000000000000000-01",
                "00-00000000000000000000000000000000-" + SPAN + "-01",
                "00-" + TRACE.toUpperCase(java.util.Locale.ROOT) + "-" + SPAN + "-01")) {
            assertNull(TraceHeaders.in(Map.of("traceparent", text)), text);
            assertNull(TraceHeaders.in(Map.of("b3", text)), text);
        }
        assertNull(TraceHeaders.in(Map.of("tenant", "acme")));
    }
}
