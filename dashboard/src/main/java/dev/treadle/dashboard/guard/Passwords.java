package dev.treadle.dashboard.guard;

import dev.treadle.dashboard.web.Problem;
import dev.treadle.dashboard.web.Request;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/** Names and passwords by HTTP Basic. Passwords are kept as salted PBKDF2 alone; who guesses too often has to wait. */
public final class Passwords implements Authenticator {
    /** Shortest password, in characters. */
    public static final int PASSWORD_CHARS_MIN = 8;
    /** Failures in a row from one address before it has to wait. */
    public static final int FAILURES_MAX = 5;
    /** How long it has to wait. */
    public static final Duration WAIT = Duration.ofSeconds(30);

    private static final int ITERATIONS = 120_000;
    private static final int SALT_BYTES = 16;
    private static final int HASH_BITS = 256;
    private static final int REMEMBERED_MAX = 1_000;

    private final InstantSource time;
    private final byte[] salt = new byte[SALT_BYTES];
    private final Map<String, Known> users = new LinkedHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    /** Headers that were right, hashed, so that not every request costs a PBKDF2. Guarded by {@link #lock}. */
    private final Map<String, User> right = bounded();
    /** Guarded by {@link #lock}. */
    private final Map<String, Failures> failures = bounded();

    /** Without users. */
    public Passwords(InstantSource time) {
        this.time = time;
        new SecureRandom().nextBytes(salt);
    }

    /**
     * Adds a user.
     *
     * @throws IllegalArgumentException if the name is empty or taken, or the password too short
     */
    public Passwords add(String name, String password, Role role) {
        if (name.isBlank() || name.contains(":")) {
            throw new IllegalArgumentException("A dashboard user needs a name, without a colon: '" + name + "'.");
        }
        if (password.length() < PASSWORD_CHARS_MIN) {
            throw new IllegalArgumentException("The password of the dashboard user '" + name + "' needs at least "
                    + PASSWORD_CHARS_MIN + " characters.");
        }
        if (users.putIfAbsent(name, new Known(new User(name, role), hash(password))) != null) {
            throw new IllegalArgumentException("The dashboard has a user '" + name + "' already.");
        }
        return this;
    }

    @Override
    public Optional<User> user(Request request) {
        String header = request.header("Authorization");
        if (header == null || !header.startsWith("Basic ")) {
            return Optional.empty();
        }
        String key = Base64.getEncoder().encodeToString(sha256(header));
        lock.lock();
        try {
            User known = right.get(key);
            if (known != null) {
                return Optional.of(known);
            }
            refuseIfWaiting(request.remote());
        } finally {
            lock.unlock();
        }
        User user = check(header);
        lock.lock();
        try {
            if (user != null) {
                right.put(key, user);
                failures.remove(request.remote());
            } else {
                Failures before = failures.getOrDefault(request.remote(), new Failures(0, Instant.EPOCH));
                failures.put(request.remote(), new Failures(before.count + 1, time.instant()));
            }
        } finally {
            lock.unlock();
        }
        return Optional.ofNullable(user);
    }

    private void refuseIfWaiting(String remote) {
        Failures some = failures.get(remote);
        if (some != null && some.count >= FAILURES_MAX) {
            if (time.instant().isBefore(some.last.plus(WAIT))) {
                throw new Problem(
                        429,
                        "too-many-failures",
                        "Too many wrong passwords",
                        "Too many wrong passwords came from this address.",
                        "Try again in " + WAIT.toSeconds() + " s.");
            }
            failures.remove(remote);
        }
    }

    private @Nullable User check(String header) {
        String plain;
        try {
            plain = new String(Base64.getDecoder().decode(header.substring("Basic ".length())), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
        int colon = plain.indexOf(':');
        String name = colon < 0 ? plain : plain.substring(0, colon);
        byte[] given = hash(colon < 0 ? "" : plain.substring(colon + 1));
        Known known = users.get(name);
        // compared also where there is no such user, so that the time it takes does not tell
        boolean same = MessageDigest.isEqual(given, known == null ? new byte[HASH_BITS / Byte.SIZE] : known.hash);
        return same && known != null ? known.user : null;
    }

    private byte[] hash(String password) {
        try {
            PBEKeySpec spec = new PBEKeySpec(password.toCharArray(), salt, ITERATIONS, HASH_BITS);
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(spec)
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform must have PBKDF2WithHmacSHA256", e);
        }
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform must have SHA-256", e);
        }
    }

    private static <V> Map<String, V> bounded() {
        return new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
                return size() > REMEMBERED_MAX;
            }
        };
    }

    private record Known(User user, byte[] hash) {}

    private record Failures(int count, Instant last) {}
}
