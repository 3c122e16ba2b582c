package dev.treadle.storage.sql.postgresql;

import dev.treadle.storage.DueListener;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a ring says: {@code what lane number hops;takers;second}, each taker with the number of jobs that it has workers for.
 * A fifth word says when the transaction began that put the jobs, in microseconds since 1970, if that may be long ago.
 *
 * @param kind   what it is about
 * @param lane   the lane in which jobs are due; null if that is not known
 * @param number how many jobs are due; in how many milliseconds one is
 * @param hops   how many nodes had no room for them
 * @param takers the nodes that are to take the jobs, and for how many each has workers; a single one may go without
 * @param isToAll whether all nodes are told
 * @param second the node that looks a little later
 */
record NotifyPayload(
        Kind kind,
        @Nullable Integer lane,
        int number,
        int hops,
        Map<String, Integer> takers,
        boolean isToAll,
        String second) {
    /** What a ring is about. */
    enum Kind {
        /** Jobs are due. */
        DUE,
        /** A job is due soon. */
        SOON,
        /** Something else changed: a pause, a recurring job. */
        CHANGED
    }

    private static final String ALL = "*";
    private static final String ANY_LANE = "-";

    /** The first part, to which the statement that rings adds the nodes. */
    static String due(@Nullable Integer lane, int jobs, int hops) {
        return "due " + (lane == null ? ANY_LANE : lane) + " " + jobs + " " + hops;
    }

    /** The word that follows if the jobs came due when a transaction began; empty if they came due just now. */
    static String since(@Nullable Instant began) {
        return began == null ? "" : " " + ChronoUnit.MICROS.between(Instant.EPOCH, began);
    }

    /** When the transaction began that put the jobs; null if a ring does not say. */
    static @Nullable Instant began(String text) {
        String[] words = text.split(";", 2)[0].split(" ");
        try {
            return words.length < 5 ? null : Instant.EPOCH.plus(Long.parseLong(words[4]), ChronoUnit.MICROS);
        } catch (NumberFormatException e) {
            // of another release: the regular looks find them
            return null;
        }
    }

    static String soon(long millis) {
        return "soon - " + millis + " 0";
    }

    static String changed() {
        return "changed - 0 0";
    }

    /**
     * How many of the jobs a taker is to take. Any number where the takers together have not the workers for all, and where
     * a node before it had no room, because then it is not known how many there are.
     */
    int share(String taker) {
        int forAll = takers.values().stream().mapToInt(Integer::intValue).sum();
        return hops == 0 && lane != null && forAll == number ? takers.get(taker) : DueListener.ANY_NUMBER;
    }

    /** Reads a ring; one that cannot be read, as of an older node, is for all. */
    static NotifyPayload read(String text) {
        String[] parts = text.split(";", -1);
        String[] words = parts[0].split(" ");
        if (parts.length < 3 || words.length < 4) {
            return new NotifyPayload(Kind.DUE, null, 1, 0, Map.of(), true, "");
        }
        Kind kind = switch (words[0]) {
            case "soon" -> Kind.SOON;
            case "changed" -> Kind.CHANGED;
            default -> Kind.DUE;
        };
        try {
            int number = Integer.parseInt(words[2]);
            return new NotifyPayload(
                    kind,
                    words[1].equals(ANY_LANE) ? null : Integer.valueOf(words[1]),
                    number,
                    Integer.parseInt(words[3]),
                    takers(parts[1], number),
                    parts[1].equals(ALL),
                    parts[2]);
        } catch (IllegalArgumentException e) {
            // of another release: at worst all look
            return new NotifyPayload(kind, null, 1, 0, Map.of(), true, "");
        }
    }

    private static Map<String, Integer> takers(String text, int number) {
        Map<String, Integer> takers = new LinkedHashMap<>();
        for (String taker : text.split(",")) {
            String[] parts = taker.split(":");
            takers.put(parts[0], parts.length < 2 ? number : Integer.parseInt(parts[1]));
        }
        return takers;
    }
}
