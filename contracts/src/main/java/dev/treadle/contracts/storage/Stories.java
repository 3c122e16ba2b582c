package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.job.HistoryEntry;
import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.JobId;
import dev.treadle.job.JobStory;
import dev.treadle.job.StateName;
import dev.treadle.storage.StorageProvider;
import java.util.ArrayList;
import java.util.List;

/**
 * Says what the story of a job must be.
 *
 * <pre>{@code
 * Stories.assertStates(storage, id, SCHEDULED, PROCESSING); // a retry was written, and now it runs again
 * Stories.assertEvents(storage, id, THREW);                 // which is one attempt so far
 * }</pre>
 */
public final class Stories {
    private Stories() {}

    /** The story of a job that must be there. */
    public static JobStory of(StorageProvider storage, JobId id) {
        return storage.queries().find(id).orElseThrow(() -> new AssertionError("job " + id + " is not there"));
    }

    /**
     * The states that the story tells of: where each row of the history led, oldest first, and where the job stands
     * now if that is somewhere else.
     */
    public static void assertStates(StorageProvider storage, JobId id, StateName... expected) {
        JobStory story = of(storage, id);
        List<StateName> told = new ArrayList<>();
        story.history().forEach(row -> told.add(row.next()));
        StateName now = story.job().state().name();
        if (told.isEmpty() || told.get(told.size() - 1) != now) {
            told.add(now);
        }
        assertEquals(List.of(expected), told, () -> "states of " + story);
        assertEquals(now, storage.queries().states(List.of(id)).get(id), () -> "find and states disagree: " + story);
    }

    /** What the history tells, oldest first. */
    public static void assertEvents(StorageProvider storage, JobId id, Event... expected) {
        JobStory story = of(storage, id);
        assertEquals(
                List.of(expected),
                story.history().stream().map(HistoryEntry::event).toList(),
                () -> "events of " + story);
    }
}
