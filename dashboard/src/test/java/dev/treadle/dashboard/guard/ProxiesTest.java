package dev.treadle.dashboard.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.dashboard.guard.Proxies.Asked;
import dev.treadle.dashboard.web.Request;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProxiesTest {
    private final Proxies proxies = Proxies.at(List.of("10.0.0.0/8", "192.168.1.7", "2001:db8::/33"));

    @Test
    void the_right_most_address_that_is_no_trusted_proxy_is_the_client() {
        assertEquals("203.0.113.9", client("10.1.2.3", "203.0.113.9"));
        assertEquals("203.0.113.9", client("10.1.2.3", "6.6.6.6, 203.0.113.9, 10.9.9.9"));
        assertEquals("203.0.113.9", client("192.168.1.7", "6.6.6.6, 203.0.113.9:4711"));
        assertEquals("2001:db9::1", client("2001:db8:1::1", "[2001:db9::1]:80"));
        assertEquals("10.9.9.9", client("10.1.2.3", "10.9.9.9"));
        assertEquals("10.1.2.3", client("10.1.2.3", ""));
        assertEquals("10.1.2.3", client("10.1.2.3", "6.6.6.6, evil.example"), "what is no address ends the chain");
        assertEquals("10.1.2.3", client("10.1.2.3", "unknown"));
    }

    @Test
    void what_others_write_changes_nothing() {
        for (String remote : List.of("11.0.0.1", "192.168.1.8", "2001:db8:8000::1", "127.0.0.1", "nonsense")) {
            assertEquals(remote, client(remote, "203.0.113.9"));
            Asked asked = proxies.asked(request(remote, "203.0.113.9"));
            assertEquals("inside:8000", asked.request().header("Host"));
            assertFalse(asked.secure());
        }
    }

    @Test
    void a_trusted_proxy_says_which_host_was_asked_for_and_whether_by_https() {
        Asked asked = proxies.asked(request("10.1.2.3", "203.0.113.9"));
        assertEquals("jobs.example.com", asked.request().header("Host"));
        assertTrue(asked.secure());
    }

    @Test
    void what_is_no_address_and_no_range_is_refused() {
        for (String wrong : List.of(
                "proxy.example", "10.0.0.0/33", "10.0.0.0/", "10.0.0/8", "", "::1/129", "10.0.0.0/-1", "300.1.1.1")) {
            assertThrows(IllegalArgumentException.class, () -> Proxies.at(List.of(wrong)), wrong);
        }
    }

    private String client(String remote, String forwarded) {
        return proxies.asked(request(remote, forwarded)).request().remote();
    }

    private static Request request(String remote, String forwarded) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        headers.put("host", List.of("inside:8000"));
        headers.put("x-forwarded-for", List.of(forwarded));
        headers.put("x-forwarded-host", List.of("evil.example, jobs.example.com"));
        headers.put("x-forwarded-proto", List.of("http,HTTPS"));
        return new Request("GET", "/", Map.of(), headers, remote, new byte[0]);
    }
}
