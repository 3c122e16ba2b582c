package dev.treadle.faults;

import dev.treadle.job.JobId;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the file of events as it grows. For one thread. */
final class Events {
    private final Path file;
    private final List<Event> seen = new ArrayList<>();
    private long offset;

    Events(Path file) {
        this.file = file;
    }

    Path file() {
        return file;
    }

    /** Everything that has happened so far. */
    List<Event> all() {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "rw")) {
            in.seek(offset);
            byte[] fresh = new byte[(int) (in.length() - offset)];
            in.readFully(fresh);
            int end = fresh.length;
            while (end > 0 && fresh[end - 1] != '\n') {
                end--;
            }
            offset += end;
            new String(fresh, 0, end, StandardCharsets.UTF_8)
                    .lines()
                    .map(Event::parse)
                    .forEach(seen::add);
            return seen;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    Stream<Event> of(String what) {
        return all().stream().filter(event -> event.what().equals(what));
    }

    int count(String what) {
        return count(what, event -> true);
    }

    int count(String what, Predicate<Event> which) {
        return (int) of(what).filter(which).count();
    }

    /** How often each job was started. */
    Map<JobId, Integer> starts() {
        return of("START").collect(Collectors.toMap(Event::job, event -> 1, Integer::sum));
    }

    List<JobId> acknowledged() {
        return of("ACK").map(Event::job).toList();
    }
}
