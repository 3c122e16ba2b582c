package dev.treadle.dashboard.guard;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * A password as salted PBKDF2, and as text for a configuration: {@code pbkdf2-sha256$600000$salt$hash}.
 *
 * @param iterations how often it is hashed
 * @param salt       of this password alone
 * @param hash       what came of it
 */
record PasswordHash(int iterations, byte[] salt, byte[] hash) {
    /** How often a new password is hashed, as OWASP advises for PBKDF2 with SHA-256. */
    static final int ITERATIONS = 600_000;
    /** Fewest and most that a configuration may say. */
    static final int ITERATIONS_MIN = 100_000;

    static final int ITERATIONS_MAX = 10_000_000;

    private static final int SALT_BYTES = 16;
    private static final int HASH_BITS = 256;
    private static final Pattern TEXT =
            Pattern.compile("pbkdf2-sha256\\$(\\d{6,8})\\$([A-Za-z0-9_-]{22,86})\\$([A-Za-z0-9_-]{43})");

    static PasswordHash of(String password) {
        byte[] salt = new byte[SALT_BYTES];
        new SecureRandom().nextBytes(salt);
        return new PasswordHash(ITERATIONS, salt, hash(password, ITERATIONS, salt));
    }

    /** No password's, that takes as long to compare. */
    static PasswordHash ofNothing() {
        return new PasswordHash(ITERATIONS, new byte[SALT_BYTES], new byte[HASH_BITS / Byte.SIZE]);
    }

    /** @throws IllegalArgumentException if it is none */
    static PasswordHash parse(String text) {
        Matcher parts = TEXT.matcher(text);
        int iterations = parts.matches() ? Integer.parseInt(parts.group(1)) : 0;
        if (iterations < ITERATIONS_MIN || iterations > ITERATIONS_MAX) {
            throw new IllegalArgumentException("A hashed password is such as pbkdf2-sha256$" + ITERATIONS
                    + "$salt$hash, with " + ITERATIONS_MIN + " to " + ITERATIONS_MAX
                    + " iterations. Passwords.hashed(password) makes one.");
        }
        Base64.Decoder decoder = Base64.getUrlDecoder();
        return new PasswordHash(iterations, decoder.decode(parts.group(2)), decoder.decode(parts.group(3)));
    }

    String text() {
        Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
        return "pbkdf2-sha256$" + iterations + "$" + encoder.encodeToString(salt) + "$" + encoder.encodeToString(hash);
    }

    boolean isOf(String password) {
        return MessageDigest.isEqual(hash, hash(password, iterations, salt));
    }

    private static byte[] hash(String password, int iterations, byte[] salt) {
        try {
            PBEKeySpec spec = new PBEKeySpec(password.toCharArray(), salt, iterations, HASH_BITS);
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(spec)
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform must have PBKDF2WithHmacSHA256", e);
        }
    }
}
