package dev.treadle.dashboard.guard;

import dev.treadle.dashboard.web.Problem;
import dev.treadle.dashboard.web.Request;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Names and passwords by HTTP Basic. Passwords are kept as salted PBKDF2 alone; who guesses too often has to wait. */
public final class Passwords implements Authenticator {
    /** Shortest password, in characters. */
    public static final int PASSWORD_CHARS_MIN = 8;
    /** Wrong passwords in a row, from one address for one name, before one has to wait. */
    public static final int FAILURES_MAX = Guesses.FAILURES_MAX;

    /** Passwords that are checked at once: checking costs a processor some tenths of a second. */
    private static final int CHECKS_MAX = 2;
    /** How long a sign-in waits for the checks of others. */
    private static final long CHECK_WAIT_SECONDS = 10;

    private static final int REMEMBERED_MAX = 1_000;
    private static final String SCHEME = "Basic ";

    private final Map<String, Known> users = new LinkedHashMap<>();
    private final Guesses guesses;
    private final Semaphore checks = new Semaphore(CHECKS_MAX);
    private final ReentrantLock lock = new ReentrantLock();
    /** Headers that were right, hashed, so that not every request costs a PBKDF2. Guarded by {@link #lock}. */
    private final Map<String, User> right = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, User> eldest) {
            return size() > REMEMBERED_MAX;
        }
    };
    /** Compared with a password if there is no such user, so that the time taken does not reveal it. */
    private final PasswordHash nobody = PasswordHash.ofNothing();

    /** Without users. */
    public Passwords(InstantSource time) {
        this.guesses = new Guesses(time);
    }

    /** A password as a configuration may hold it, for {@link #addHashed}. */
    public static String hashed(String password) {
        return PasswordHash.of(password).text();
    }

    /**
     * Adds a user.
     *
     * @throws IllegalArgumentException if the name is empty or taken, or the password too short
     */
    public Passwords add(String name, String password, Role role) {
        if (password.length() < PASSWORD_CHARS_MIN) {
            throw new IllegalArgumentException("The password of the dashboard user '" + name + "' needs at least "
                    + PASSWORD_CHARS_MIN + " characters.");
        }
        return add(name, PasswordHash.of(password), role);
    }

    /**
     * Adds a user whose password is hashed already.
     *
     * @param hash as {@link #hashed} gives it
     * @throws IllegalArgumentException if the name is empty or taken, or the hash is none
     */
    public Passwords addHashed(String name, String hash, Role role) {
        return add(name, PasswordHash.parse(hash), role);
    }

    private Passwords add(String name, PasswordHash hash, Role role) {
        if (name.isBlank() || name.contains(":")) {
            throw new IllegalArgumentException("A dashboard user needs a name, without a colon: '" + name + "'.");
        }
        if (users.putIfAbsent(name, new Known(new User(name, role), hash)) != null) {
            throw new IllegalArgumentException("The dashboard has a user '" + name + "' already.");
        }
        return this;
    }

    @Override
    public Optional<User> user(Request request) {
        String header = request.header("Authorization");
        if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Optional.empty();
        }
        String given = header.substring(SCHEME.length()).strip();
        String key = sha256(given);
        User known = remembered(key);
        return known != null ? Optional.of(known) : checked(request.remote(), given, key);
    }

    private @Nullable User remembered(String key) {
        lock.lock();
        try {
            return right.get(key);
        } finally {
            lock.unlock();
        }
    }

    private Optional<User> checked(String remote, String given, String key) {
        String plain = decoded(given);
        int colon = plain == null ? -1 : plain.indexOf(':');
        if (plain == null || colon < 0) {
            return Optional.empty();
        }
        takeTurn();
        try {
            // why again: a page asks for twenty things at once, and one of them may have been checked by now
            User known = remembered(key);
            return known != null
                    ? Optional.of(known)
                    : compared(remote, plain.substring(0, colon), plain.substring(colon + 1), key);
        } finally {
            checks.release();
        }
    }

    private Optional<User> compared(String remote, String name, String password, String key) {
        if (!guesses.mayTry(remote, name)) {
            throw new Problem(
                    429,
                    "too-many-failures",
                    "Too many wrong passwords",
                    "Too many wrong passwords came from this address.",
                    "Try again in " + Guesses.WAIT.toSeconds() + " s.");
        }
        Known user = users.get(name);
        boolean same = (user == null ? nobody : user.hash).isOf(password);
        if (!same || user == null) {
            return Optional.empty();
        }
        guesses.forget(remote, name);
        lock.lock();
        try {
            right.put(key, user.user);
        } finally {
            lock.unlock();
        }
        return Optional.of(user.user);
    }

    private void takeTurn() {
        boolean taken = false;
        try {
            taken = checks.tryAcquire(CHECK_WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!taken) {
            throw new Problem(503, "busy", "Busy", "Too many passwords are being checked at the moment.", "Try again.");
        }
    }

    private static @Nullable String decoded(String given) {
        try {
            return new String(Base64.getDecoder().decode(given), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static String sha256(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(hash);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform must have SHA-256", e);
        }
    }

    private record Known(User user, PasswordHash hash) {}
}
