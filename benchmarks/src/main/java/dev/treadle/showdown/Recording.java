package dev.treadle.showdown;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** What the flight recorder of a run has to say of its garbage collections. */
final class Recording {
    /** The settings that a run is recorded with: collections and nothing else, so that recording costs nothing. */
    static final String SETTINGS = """
            <?xml version="1.0" encoding="UTF-8"?>
            <configuration version="2.0" label="Treadle showdown" description="Garbage collections" provider="Treadle">
              <event name="jdk.GarbageCollection"><setting name="enabled">true</setting><setting name="threshold">0 ms</setting></event>
              <event name="jdk.GCHeapSummary"><setting name="enabled">true</setting></event>
            </configuration>
            """;

    static final String EXPLICIT = "System.gc()";

    private final Map<Integer, Long> before = new HashMap<>();
    private final Map<Integer, Long> after = new HashMap<>();
    private final List<RecordedEvent> collections = new ArrayList<>();

    private Recording() {}

    /**
     * The collections of a run, from the full one before to the full one after it.
     *
     * @param began when the run began, in milliseconds since 1970
     * @param ended when it ended
     * @return nothing if there is no recording: a JVM that has no memory left leaves none
     */
    static List<Collected> collections(Path file, long began, long ended) throws IOException {
        if (!Files.exists(file) || Files.size(file) == 0) {
            return List.of();
        }
        Recording recording = new Recording();
        RecordingFile.readAllEvents(file).forEach(recording::take);
        return window(recording.all(began), ended - began);
    }

    private void take(RecordedEvent event) {
        switch (event.getEventType().getName()) {
            case "jdk.GarbageCollection" -> collections.add(event);
            case "jdk.GCHeapSummary" ->
                (event.getString("when").startsWith("Before") ? before : after)
                        .put(event.getInt("gcId"), event.getLong("heapUsed"));
            default -> {}
        }
    }

    private List<Collected> all(long began) {
        return collections.stream()
                .map(event -> new Collected(
                        event.getStartTime().toEpochMilli() - began,
                        event.getString("name"),
                        event.getString("cause"),
                        before.getOrDefault(event.getInt("gcId"), 0L),
                        after.getOrDefault(event.getInt("gcId"), 0L),
                        event.getDuration("sumOfPauses").toNanos() / 1_000))
                .sorted((a, b) -> Long.compare(a.millis(), b.millis()))
                .toList();
    }

    /** @param ended milliseconds after the begin */
    static List<Collected> window(List<Collected> all, long ended) {
        List<Collected> window = new ArrayList<>();
        for (Collected one : all) {
            if (one.millis() <= 0) {
                if (one.hasHeap()) {
                    window.clear();
                    window.add(one);
                }
            } else {
                window.add(one);
                if (one.millis() >= ended && one.cause().equals(EXPLICIT)) {
                    break;
                }
            }
        }
        return window;
    }
}
