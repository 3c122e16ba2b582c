package dev.treadle.storage;

import dev.treadle.job.HistoryEntry;
import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.JobId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What has happened to each job, oldest first. Guarded by the lock of its storage. */
final class MemoryHistory {
    private final Map<JobId, List<Row>> rows = new HashMap<>();

    void add(JobId id, long token, HistoryEntry entry) {
        rows.computeIfAbsent(id, unseen -> new ArrayList<>()).add(new Row(token, entry));
    }

    boolean tells(JobId id, long token, @Nullable Event event) {
        return rows.getOrDefault(id, List.of()).stream()
                .anyMatch(row -> row.token == token && row.entry.event() == event);
    }

    List<HistoryEntry> of(JobId id) {
        return rows.getOrDefault(id, List.of()).stream().map(Row::entry).toList();
    }

    /** The last thing that happened to a job to which something has. */
    Row last(JobId id) {
        List<Row> all = rows.getOrDefault(id, List.of());
        return all.get(all.size() - 1);
    }

    void delete(JobId id) {
        rows.remove(id);
    }

    /** A history row and the token of the lease or move it tells of. */
    record Row(long token, HistoryEntry entry) {}
}
