package dev.treadle.dashboard.api;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Names that look as if a secret stood behind them, however their words are joined: dbPass, db_pass, DB-PASS. */
final class SecretNames {
    /** Found anywhere in a name. */
    private static final Pattern PART = Pattern.compile(
            "pass(word|wd|phrase|code)|passwort|kennwort|secret|token|api[ _-]?key|(private|access)[ _-]?key|authorization"
                    + "|credential|iban|cvv|cvc|card[ _-]?number|cookie|session[ _-]?(id|key)",
            Pattern.CASE_INSENSITIVE);
    /** Found as a word of its own: as parts they occur in names such as passenger, spinning and adopt. */
    private static final Set<String> WORDS = Set.of("pass", "pwd", "pw", "pin", "otp", "totp", "jwt", "ssn", "tan");
    /** The same, as the last word alone: sessionTimeout is none. */
    private static final Set<String> LAST_WORDS = Set.of("session");

    private static final Pattern BETWEEN_WORDS =
            Pattern.compile("[^\\p{L}]+|(?<=\\p{Ll})(?=\\p{Lu})|(?<=\\p{Lu})(?=\\p{Lu}\\p{Ll})");

    private SecretNames() {}

    static boolean has(String name) {
        if (PART.matcher(name).find()) {
            return true;
        }
        String last = "";
        for (String word : BETWEEN_WORDS.split(name)) {
            last = word.toLowerCase(Locale.ROOT);
            if (WORDS.contains(last)) {
                return true;
            }
        }
        return LAST_WORDS.contains(last);
    }
}
