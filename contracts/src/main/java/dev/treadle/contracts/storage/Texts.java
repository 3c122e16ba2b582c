package dev.treadle.contracts.storage;

import java.util.List;

/** Texts that have been lost, cut or changed by some database or driver. */
final class Texts {
    /** Quotes, backslashes, line ends, SQL, JSON escapes, and letters of one to four bytes. */
    static final String AWKWARD =
            "it's \"quoted\" \\ \\\\ \\u0000 \\n \r\n\t %s ${x} ? :id {0} '; drop table x; -- é e\u0301 ß Ω 漢字 שלום"
                    + " 👩‍👩‍👧‍👦 \uD83D\uDE80 \u2028 \uFEFF end ";

    private static final int KIB = 1024;

    /** Each must come back to the letter: an attribute order or a space that goes is a change. */
    static final List<String> ARGUMENTS = List.of(
            "[]",
            "{ \"b\" : 1.50 ,\n\"a\":2,\"a\":1e2 }",
            "[\"" + AWKWARD.replace("\\", "\\\\").replace("\"", "\\\"") + "\"]",
            "[\"" + "x".repeat(64 * KIB - 4) + "\"]",
            "[\"" + "\uD83D\uDE80".repeat(16 * KIB) + "\"]");

    private Texts() {}
}
