package dev.treadle.storage.sql;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a ring says: {@code what number hops;takers;second}.
 *
 * @param kind   what it is about
 * @param lane   the lane in which jobs are due; null if that is not known
 * @param number how many jobs are due; in how many milliseconds one is
 * @param hops   how many nodes had no room for them
 * @param takers the nodes that are to take the jobs
 * @param isToAll whether all nodes are told
 * @param second the node that looks a little later
 */
record RingText(
        Kind kind, @Nullable Integer lane, int number, int hops, Set<String> takers, boolean isToAll, String second) {
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

    static String soon(long millis) {
        return "soon - " + millis + " 0";
    }

    static String changed() {
        return "changed - 0 0";
    }

    /** Reads a ring; one that cannot be read, as of an older node, is for all. */
    static RingText read(String text) {
        String[] parts = text.split(";", -1);
        String[] words = parts[0].split(" ");
        if (parts.length < 3 || words.length < 4) {
            return new RingText(Kind.DUE, null, 1, 0, Set.of(), true, "");
        }
        Kind kind = switch (words[0]) {
            case "soon" -> Kind.SOON;
            case "changed" -> Kind.CHANGED;
            default -> Kind.DUE;
        };
        try {
            return new RingText(
                    kind,
                    words[1].equals(ANY_LANE) ? null : Integer.valueOf(words[1]),
                    Integer.parseInt(words[2]),
                    Integer.parseInt(words[3]),
                    Set.of(parts[1].split(",")),
                    parts[1].equals(ALL),
                    parts[2]);
        } catch (IllegalArgumentException e) {
            // of another release: at worst all look
            return new RingText(kind, null, 1, 0, Set.of(), true, "");
        }
    }
}
