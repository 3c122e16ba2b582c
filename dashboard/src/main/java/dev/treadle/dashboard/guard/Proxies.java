package dev.treadle.dashboard.guard;

import dev.treadle.dashboard.web.Request;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The reverse proxies whose headers identify the client, under which name and whether by HTTPS. Of the addresses in
 * {@code X-Forwarded-For} the right-most counts that is none of them: any client may have written what stands left of it.
 */
public final class Proxies {
    /** None. */
    public static final Proxies NONE = new Proxies(List.of());

    /** What proxies add to a request on its way. */
    static final List<String> TRACES = List.of(
            "Forwarded",
            "Via",
            "X-Forwarded-For",
            "X-Forwarded-Host",
            "X-Forwarded-Proto",
            "X-Forwarded-Port",
            "X-Forwarded-Server",
            "X-Real-IP");

    /** An address as numbers: names would have to be looked up, and any client could send one. */
    private static final Pattern ADDRESS =
            Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

    private final List<Range> ranges;

    private Proxies(List<Range> ranges) {
        this.ranges = ranges;
    }

    /**
     * Those with these addresses.
     *
     * @param addresses such as {@code 10.0.3.7} or {@code 10.0.0.0/8}
     * @throws IllegalArgumentException if one is neither
     */
    public static Proxies at(Collection<String> addresses) {
        return addresses.isEmpty()
                ? NONE
                : new Proxies(addresses.stream().map(Range::parse).toList());
    }

    /**
     * A request as it was asked.
     *
     * @param request with the address it really came from, unless a proxy is trusted
     * @param secure  whether a trusted proxy says that it came by HTTPS
     */
    public record Asked(Request request, boolean secure) {}

    /** Takes the word of trusted proxies; that of others changes nothing. */
    public Asked asked(Request request) {
        if (!trusts(request.remote())) {
            return new Asked(request, false);
        }
        String client = request.remote();
        List<String> chain = request.list("X-Forwarded-For");
        for (int i = chain.size() - 1; i >= 0 && trusts(client); i--) {
            String before = withoutPort(chain.get(i));
            if (!ADDRESS.matcher(before).matches()) {
                break;
            }
            client = before;
        }
        return new Asked(
                request.asAskedOfProxy(client, last(request.list("X-Forwarded-Host"))),
                "https".equalsIgnoreCase(last(request.list("X-Forwarded-Proto"))));
    }

    /** Whether a request has come by a proxy. */
    static boolean hasTraces(Request request) {
        return TRACES.stream().anyMatch(request::has);
    }

    boolean trusts(String address) {
        byte[] bytes = bytes(address);
        return bytes != null && ranges.stream().anyMatch(range -> range.has(bytes));
    }

    private static @Nullable String last(List<String> values) {
        return values.isEmpty() ? null : values.get(values.size() - 1);
    }

    /** Some proxies add the port: 10.0.0.1:5060 or [2001:db8::1]:5060. */
    private static String withoutPort(String address) {
        if (address.startsWith("[")) {
            return address.substring(1, Math.max(1, address.indexOf(']')));
        }
        int colon = address.indexOf(':');
        return colon >= 0 && colon == address.lastIndexOf(':') ? address.substring(0, colon) : address;
    }

    private static byte @Nullable [] bytes(String address) {
        int zone = address.indexOf('%');
        String plain = zone < 0 ? address : address.substring(0, zone);
        try {
            return ADDRESS.matcher(plain).matches()
                    ? InetAddress.getByName(plain).getAddress()
                    : null;
        } catch (UnknownHostException e) {
            return null;
        }
    }

    private record Range(byte[] address, int bits) {
        static Range parse(String text) {
            int slash = text.indexOf('/');
            byte[] address = bytes(slash < 0 ? text : text.substring(0, slash));
            String bits = slash < 0 ? "" : text.substring(slash + 1);
            if (address == null || slash >= 0 && !bits.matches("\\d{1,3}")) {
                throw wrong(text);
            }
            int all = address.length * Byte.SIZE;
            int wanted = slash < 0 ? all : Integer.parseInt(bits);
            if (wanted > all) {
                throw wrong(text);
            }
            return new Range(address, wanted);
        }

        private static IllegalArgumentException wrong(String text) {
            return new IllegalArgumentException("A trusted proxy is an address such as 10.0.3.7, or a range such as"
                    + " 10.0.0.0/8, and not '" + text + "'.");
        }

        boolean has(byte[] other) {
            if (other.length != address.length) {
                return false;
            }
            int whole = bits / Byte.SIZE;
            int rest = bits % Byte.SIZE;
            return Arrays.equals(address, 0, whole, other, 0, whole)
                    && (rest == 0 || (address[whole] ^ other[whole]) >> Byte.SIZE - rest == 0);
        }
    }
}
