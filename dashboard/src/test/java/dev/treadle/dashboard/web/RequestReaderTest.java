package dev.treadle.dashboard.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.dashboard.web.RequestReader.Received;
import dev.treadle.dashboard.web.RequestReader.Refused;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RequestReaderTest {
    private static final String TWO =
            "POST /a?b=c HTTP/1.1\r\nHost: x\r\nA: 1\r\na:  2 \r\nContent-Length: 5\r\n\r\nhello"
                    + "\r\nGET /b HTTP/1.0\r\n\r\n";

    @Test
    void requests_are_read_wherever_their_bytes_are_cut_into_pieces() throws Refused {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            RequestReader reader = new RequestReader();
            List<Received> all = new ArrayList<>();
            for (int at = 0; at < TWO.length(); ) {
                int to = Math.min(TWO.length(), at + 1 + random.nextInt(seed % 2 == 0 ? 3 : 40));
                reader.add(bytes(TWO.substring(at, to)));
                at = to;
                for (Received one; (one = reader.next()) != null; ) {
                    all.add(one);
                }
            }
            assertEquals(2, all.size(), "seed " + seed);
            assertEquals("POST", all.get(0).method());
            assertEquals("/a?b=c", all.get(0).target());
            assertEquals(List.of("1", "2"), all.get(0).headers().get("a"));
            assertEquals("hello", new String(all.get(0).body(), StandardCharsets.US_ASCII));
            assertTrue(all.get(0).keepAlive());
            assertEquals("/b", all.get(1).target());
            assertFalse(all.get(1).keepAlive());
            assertTrue(reader.isEmpty());
        }
    }

    @Test
    void what_servers_and_proxies_may_read_differently_is_refused() {
        Map<String, Integer> wrong = Map.ofEntries(
                Map.entry("GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n", 400),
                Map.entry("GET / HTTP/1.1\r\nA : b\r\n\r\n", 400),
                Map.entry("GET / HTTP/1.1\nA: b\n\r\n\r\n", 400),
                Map.entry("GET / HTTP/1.1\r\nA: b\rc\r\n\r\n", 400),
                Map.entry("GET / HTTP/1.1\r\nA: b\0\r\n\r\n", 400),
                Map.entry("GET  / HTTP/1.1\r\n\r\n", 400),
                Map.entry("GET / HTTP/2.0\r\n\r\n", 400),
                Map.entry("GET http://x/ HTTP/1.1\r\n\r\n", 400),
                Map.entry("GET /\u00e4 HTTP/1.1\r\n\r\n", 400),
                Map.entry("get / HTTP/1.1\r\n\r\n", 400),
                Map.entry("\u0016\u0003\u0001\r\n\r\n", 400),
                Map.entry("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", 400),
                Map.entry("POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n", 400),
                Map.entry("POST / HTTP/1.1\r\nContent-Length: +5\r\n\r\n", 400),
                Map.entry("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
                Map.entry("POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
                Map.entry("POST / HTTP/1.1\r\nTransfer-Encoding: xchunked\r\n\r\n", 411),
                Map.entry("POST / HTTP/1.1\r\nContent-Length: 65537\r\n\r\n", 413),
                Map.entry("GET / HTTP/1.1\r\n" + "A: b\r\n".repeat(101) + "\r\n", 431),
                Map.entry("GET /" + "a".repeat(17_000), 431),
                Map.entry("GET / HTTP/1.1\r\nA: " + "b".repeat(17_000) + "\r\n\r\n", 431));
        wrong.forEach((text, status) -> {
            RequestReader reader = new RequestReader();
            reader.add(bytes(text));
            assertEquals(status, assertThrows(Refused.class, reader::next, text).status(), text);
        });
    }

    @Test
    void what_is_not_complete_is_waited_for() throws Refused {
        for (String text :
                List.of("", "G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: loc", "GET / HTTP/1.1\r\nA: b\r\n\r")) {
            RequestReader reader = new RequestReader();
            reader.add(bytes(text));
            assertNull(reader.next(), text);
            assertFalse(reader.waitsForBody());
        }
        RequestReader reader = new RequestReader();
        reader.add(bytes("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"));
        assertNull(reader.next());
        assertTrue(reader.waitsForBody() && reader.waitsToContinue());
        reader.add(bytes("ab"));
        assertNotNull(reader.next());
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
