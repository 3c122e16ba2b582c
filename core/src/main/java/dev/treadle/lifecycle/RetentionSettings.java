package dev.treadle.lifecycle;

import dev.treadle.job.StateName;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How long jobs are kept after they have ended. Jobs that have not ended are never deleted. Immutable.
 *
 * @param usual  for jobs of types that have no ages of their own
 * @param byType by the type that a job calls: the request's class, or the class that declares the method
 */
public record RetentionSettings(Ages usual, Map<String, Ages> byType) {
    /** Succeeded jobs for 3 days, failed ones for 30, cancelled ones for 7. */
    public static final RetentionSettings DEFAULT = new RetentionSettings(Ages.DEFAULT, Map.of());

    /** Every job for ever. */
    public static final RetentionSettings FOR_EVER = new RetentionSettings(Ages.FOR_EVER, Map.of());

    /** Copies the map. */
    public RetentionSettings {
        byType = Map.copyOf(byType);
    }

    /** The same with other ages for types that have none of their own. */
    public RetentionSettings withUsual(Ages usual) {
        return new RetentionSettings(usual, byType);
    }

    /** The same with ages for the jobs that call one type. */
    public RetentionSettings withType(Class<?> type, Ages ages) {
        Map<String, Ages> all = new HashMap<>(byType);
        all.put(type.getName(), ages);
        return new RetentionSettings(usual, all);
    }

    /**
     * The same, with the ages of a type for all names of it.
     *
     * @param names all names that the jobs of a type may be stored under
     */
    public RetentionSettings underNames(Function<String, Set<String>> names) {
        Map<String, Ages> all = new HashMap<>();
        byType.forEach((type, ages) -> names.apply(type).forEach(name -> all.put(name, ages)));
        // what is said of one name itself counts first
        all.putAll(byType);
        return new RetentionSettings(usual, all);
    }

    /** Whether a job has been kept for long enough. False for every state that is not an end. */
    public boolean isOver(String type, StateName state, Duration age) {
        Ages ages = byType.getOrDefault(type, usual);
        Duration kept = ages.of(state);
        return kept != null && age.compareTo(kept) >= 0;
    }

    /** The shortest age of all; null if every job is kept for ever. */
    public @Nullable Duration shortest() {
        return Stream.concat(Stream.of(usual), byType.values().stream())
                .flatMap(ages -> Stream.of(StateName.SUCCEEDED, StateName.FAILED, StateName.CANCELLED)
                        .map(ages::of)
                        .filter(Objects::nonNull))
                .map(Objects::requireNonNull)
                .min(Duration::compareTo)
                .orElse(null);
    }

    /** Ages by how a job ended; null keeps jobs for ever, zero deletes them as soon as possible. Immutable. */
    public static final class Ages {
        private static final Ages DEFAULT = new Ages(Duration.ofDays(3), Duration.ofDays(30), Duration.ofDays(7));

        /** Every job is kept for ever: {@code Ages.FOR_EVER.withSucceeded(Duration.ofDays(1))}. */
        public static final Ages FOR_EVER = new Ages(null, null, null);

        private final @Nullable Duration succeeded;
        private final @Nullable Duration failed;
        private final @Nullable Duration cancelled;

        /** Private: a call could swap three values of one type unseen. */
        private Ages(@Nullable Duration succeeded, @Nullable Duration failed, @Nullable Duration cancelled) {
            check("succeeded", succeeded);
            check("failed", failed);
            check("cancelled", cancelled);
            this.succeeded = succeeded;
            this.failed = failed;
            this.cancelled = cancelled;
        }

        /**
         * Sets how long succeeded jobs are kept; null for ever.
         *
         * @throws IllegalArgumentException if it is negative
         */
        public Ages withSucceeded(@Nullable Duration succeeded) {
            return new Ages(succeeded, failed, cancelled);
        }

        /**
         * Sets how long failed jobs are kept; null for ever.
         *
         * @throws IllegalArgumentException if it is negative
         */
        public Ages withFailed(@Nullable Duration failed) {
            return new Ages(succeeded, failed, cancelled);
        }

        /**
         * Sets how long cancelled jobs are kept; null for ever.
         *
         * @throws IllegalArgumentException if it is negative
         */
        public Ages withCancelled(@Nullable Duration cancelled) {
            return new Ages(succeeded, failed, cancelled);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Ages ages
                    && Objects.equals(succeeded, ages.succeeded)
                    && Objects.equals(failed, ages.failed)
                    && Objects.equals(cancelled, ages.cancelled);
        }

        @Override
        public int hashCode() {
            return Objects.hash(succeeded, failed, cancelled);
        }

        @Override
        public String toString() {
            return "Ages[succeeded=" + succeeded + ", failed=" + failed + ", cancelled=" + cancelled + "]";
        }

        private static void check(String what, @Nullable Duration age) {
            if (age != null && age.isNegative()) {
                throw new IllegalArgumentException("The age of " + what + " jobs is " + age
                        + " and must be zero or more, or null to keep them for ever.");
            }
        }

        /** The age for a state; null if its jobs are kept for ever, as all are that have not ended. */
        @Nullable
        Duration of(StateName state) {
            return switch (state) {
                case SUCCEEDED -> succeeded;
                case FAILED -> failed;
                case CANCELLED -> cancelled;
                case SCHEDULED, ENQUEUED, PROCESSING, PARKED, WAITING -> null;
            };
        }
    }
}
