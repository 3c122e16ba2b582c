package dev.treadle.dashboard.web;

import org.jspecify.annotations.Nullable;

/** A refused request, described as RFC 9457 wants it. */
public final class Problem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;
    private final String title;
    private final @Nullable String fix;

    /**
     * @param code   a short word that programs may rely on
     * @param title  what kind of problem it is
     * @param detail what happened this time
     * @param fix    what to do; null if there is nothing
     */
    public Problem(int status, String code, String title, String detail, @Nullable String fix) {
        super(detail, null, false, false);
        this.status = status;
        this.code = code;
        this.title = title;
        this.fix = fix;
    }

    /** What was asked for is not there. */
    public static Problem notFound(String detail) {
        return new Problem(404, "not-found", "Not found", detail, null);
    }

    /** What was asked is not understood. */
    public static Problem bad(String detail) {
        return new Problem(400, "bad-request", "Bad request", detail, null);
    }

    /** What was asked may not be done. */
    public static Problem forbidden(String code, String detail, String fix) {
        return new Problem(403, code, "Refused", detail, fix);
    }

    /** A short word that programs may rely on. */
    public String code() {
        return code;
    }

    int status() {
        return status;
    }

    /** As an answer. */
    public Response response(Json json) {
        Body body = new Body("about:blank", title, status, String.valueOf(getMessage()), code, fix);
        return Response.of(status, "application/problem+json", json.bytes(body));
    }

    private record Body(
            String type,
            String title,
            int status,
            String detail,
            String code,
            @Nullable String fix) {}
}
