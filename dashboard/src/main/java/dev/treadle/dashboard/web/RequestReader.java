package dev.treadle.dashboard.web;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the requests of one connection from its bytes as they come. Strict: what proxies and servers have been seen to
 * read differently, such as folded lines, two lengths or a length beside an encoding, is refused. For one thread.
 */
final class RequestReader {
    /** Longest head, in bytes. */
    static final int HEAD_BYTES_MAX = 16 * 1024;
    /** Most header lines. */
    static final int HEADERS_MAX = 100;

    private static final Pattern FIRST_LINE = Pattern.compile("([A-Z]{1,20}) (/[\\x21-\\x7e]*) HTTP/1\\.([01])");
    private static final Pattern HEADER =
            Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}):[ \\t]*([^\\x00-\\x08\\x0a-\\x1f\\x7f]*?)[ \\t]*");
    private static final Pattern LENGTH = Pattern.compile("\\d{1,10}");
    private static final byte[] END_OF_HEAD = {'\r', '\n', '\r', '\n'};

    private byte[] bytes = new byte[2 * 1024];
    private int length;
    /** No head ends before this place. */
    private int looked;

    private @Nullable Head head;

    /** Bytes that came. */
    void add(ByteBuffer more) {
        int came = more.remaining();
        if (length + came > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + came, 2 * bytes.length));
        }
        more.get(bytes, length, came);
        length += came;
    }

    /** Whether nothing of a further request has come. */
    boolean isEmpty() {
        return length == 0;
    }

    /** Whether the head has come, and the body has not. */
    boolean waitsForBody() {
        return head != null;
    }

    /**
     * The next request, if all of it has come.
     *
     * @throws Refused if it is none, or too long
     */
    @Nullable
    Received next() throws Refused {
        Head begun = head == null ? head() : head;
        if (begun == null) {
            return null;
        }
        head = begun;
        if (length - begun.end < begun.bodyLength) {
            return null;
        }
        int end = begun.end + begun.bodyLength;
        byte[] body = Arrays.copyOfRange(bytes, begun.end, end);
        length -= end;
        System.arraycopy(bytes, end, bytes, 0, length);
        head = null;
        looked = 0;
        return new Received(begun.method, begun.target, begun.headers, body, begun.keepAlive);
    }

    private @Nullable Head head() throws Refused {
        int begin = 0;
        // why: some clients send an empty line behind a body
        while (begin + 1 < length && bytes[begin] == '\r' && bytes[begin + 1] == '\n') {
            begin += 2;
        }
        int end = endOfHead(begin);
        if (end - begin > HEAD_BYTES_MAX || end < 0 && length > HEAD_BYTES_MAX) {
            throw new Refused(431, "The head of a request may have " + HEAD_BYTES_MAX + " bytes.");
        }
        return end < 0 ? null : parsed(new String(bytes, begin, end - begin - 4, StandardCharsets.ISO_8859_1), end);
    }

    /** Behind the empty line; -1 if it has not come. */
    private int endOfHead(int begin) {
        for (int i = Math.max(begin, looked - 3); i + 4 <= length; i++) {
            if (Arrays.equals(bytes, i, i + 4, END_OF_HEAD, 0, 4)) {
                return i + 4;
            }
        }
        looked = length;
        return -1;
    }

    private static Head parsed(String text, int end) throws Refused {
        String[] lines = text.split("\r\n", -1);
        Matcher first = FIRST_LINE.matcher(lines[0]);
        if (!first.matches()) {
            throw new Refused(400, "The first line of the request is no method, path and HTTP/1.1.");
        }
        if (lines.length > HEADERS_MAX + 1) {
            throw new Refused(431, "A request may have " + HEADERS_MAX + " headers.");
        }
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (int i = 1; i < lines.length; i++) {
            Matcher header = HEADER.matcher(lines[i]);
            if (!header.matches()) {
                throw new Refused(400, "A line of the request's head is no header.");
            }
            headers.computeIfAbsent(header.group(1).toLowerCase(Locale.ROOT), name -> new ArrayList<>())
                    .add(header.group(2));
        }
        return new Head(
                first.group(1), first.group(2), headers, end, bodyLength(headers), keepAlive(first.group(3), headers));
    }

    private static int bodyLength(Map<String, List<String>> headers) throws Refused {
        if (headers.containsKey("transfer-encoding")) {
            throw new Refused(411, "A request's body needs a Content-Length; there is no Transfer-Encoding here.");
        }
        List<String> lengths = headers.getOrDefault("content-length", List.of("0"));
        if (lengths.size() != 1 || !LENGTH.matcher(lengths.get(0)).matches()) {
            throw new Refused(400, "The Content-Length is not a number, or is given twice.");
        }
        long bodyLength = Long.parseLong(lengths.get(0));
        if (bodyLength > Request.BODY_BYTES_MAX) {
            throw new Refused(413, "The body of a request may have " + Request.BODY_BYTES_MAX + " bytes.");
        }
        return (int) bodyLength;
    }

    private static boolean keepAlive(String minor, Map<String, List<String>> headers) {
        return minor.equals("1")
                && headers.getOrDefault("connection", List.of()).stream()
                        .noneMatch(value -> value.toLowerCase(Locale.ROOT).contains("close"));
    }

    /** Whether the client waits to be told that it may send its body. */
    boolean waitsToContinue() {
        return head != null
                && head.headers.getOrDefault("expect", List.of()).stream().anyMatch("100-continue"::equalsIgnoreCase);
    }

    private record Head(
            String method,
            String target,
            Map<String, List<String>> headers,
            int end,
            int bodyLength,
            boolean keepAlive) {}

    /**
     * A whole request.
     *
     * @param target    path and query as they came
     * @param headers   by names in lower case
     * @param keepAlive whether further ones may come on its connection
     */
    record Received(String method, String target, Map<String, List<String>> headers, byte[] body, boolean keepAlive) {}

    /** What came is not read further. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        private final int status;

        Refused(int status, String detail) {
            super(detail, null, false, false);
            this.status = status;
        }

        int status() {
            return status;
        }
    }
}
