package dev.treadle.storage.admin;

import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.Comparator;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The place of a job in a list: what the next page starts after. For those who write a storage.
 *
 * @param priority of a waiting job, or a number of the storage's by which those are ordered; less than any of them in the
 *                 list of what a gate counts; 0 in other lists
 * @param at       due or ended; {@link Instant#EPOCH} in lists that are ordered by id
 * @param id       the job
 */
public record PageKey(int priority, Instant at, JobId id) {
    /** In the place of a priority, greater than any of them with whatever is put before it. */
    public static final int IN_LINE = 2_000_000_000;
    /** In the place of a priority, less than any of them: so much less the place of a child among the others. */
    private static final int CHILDREN = -1_000_000;
    /** Newest id first. */
    public static final Comparator<PageKey> NEWEST =
            Comparator.comparing(PageKey::id).reversed();
    /** The order in which waiting jobs run. */
    public static final Comparator<PageKey> NEXT = Comparator.comparingInt(PageKey::priority)
            .thenComparing(PageKey::at)
            .thenComparing(PageKey::id);
    /** Latest first. */
    public static final Comparator<PageKey> LATEST =
            Comparator.comparing(PageKey::at).thenComparing(PageKey::id).reversed();

    /** The place of a job in the list of its state. */
    public static PageKey of(JobId id) {
        return new PageKey(0, Instant.EPOCH, id);
    }

    /** Before every job of a list that begins with the newest or latest. */
    public static PageKey end() {
        return new PageKey(0, Instant.parse("9999-12-31T00:00:00Z"), JobId.of(new UUID(-1, -1)));
    }

    /** Before every job of a list that begins with the next. */
    public static PageKey beginning() {
        return new PageKey(JobTraits.PRIORITY_MIN - 1, Instant.EPOCH, JobId.of(new UUID(0, 0)));
    }

    /** The place of a job that waits for a slot of its key: after all that may run now, by id. */
    public static PageKey inLine(JobId id) {
        return new PageKey(IN_LINE, Instant.EPOCH, id);
    }

    /** The place of a child in the list of those that its gate counts. */
    public static PageKey ofChild(long ordinal, JobId id) {
        return new PageKey(Math.toIntExact(CHILDREN - ordinal), Instant.EPOCH, id);
    }

    /** Which child it is, from 0; -1 if it is the place of no child. */
    public long child() {
        return priority <= CHILDREN ? (long) CHILDREN - priority : -1;
    }

    /** As text for {@link JobPage#next}. */
    public String text() {
        String plain = priority + " " + at + " " + id;
        return Base64.getUrlEncoder().withoutPadding().encodeToString(plain.getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * Reads what {@link #text} wrote.
     *
     * @param ifNull what to give if there is no text
     * @throws IllegalArgumentException if it is another text
     */
    public static PageKey parse(@Nullable String text, PageKey ifNull) {
        if (text == null) {
            return ifNull;
        }
        try {
            String[] parts = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.US_ASCII).split(" ");
            if (parts.length == 3) {
                Instant at = Instant.parse(parts[1]);
                if (!at.isBefore(Instant.EPOCH) && !at.isAfter(end().at())) {
                    return new PageKey(Integer.parseInt(parts[0]), at, JobId.parse(parts[2]));
                }
            }
        } catch (IllegalArgumentException | DateTimeException e) {
            // said below
        }
        throw new IllegalArgumentException(
                "This is no place where a page ended. Leave it out to begin with the first page.");
    }
}
