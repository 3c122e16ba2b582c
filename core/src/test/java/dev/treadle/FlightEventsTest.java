package dev.treadle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.JobOptions;
import dev.treadle.api.RecurringJobs;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.schedule.Schedule;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the flight recorder of the JVM is told of jobs. */
class FlightEventsTest {
    @TempDir
    @Nullable
    Path folder;

    record Go(boolean well) implements JobRequest<Void> {}

    @Test
    void a_recording_holds_what_each_job_went_through() throws IOException {
        InMemoryStorageProvider storage = new InMemoryStorageProvider();
        JobId well;
        JobId badly;
        JobId later;
        List<RecordedEvent> all;
        try (Recording recording = new Recording()) {
            recording.start();
            try (Treadle treadle = Treadle.on(storage)
                    .settings(Work.QUICK)
                    .handler(Go.class, (go, job) -> {
                        if (!go.well()) {
                            throw new IllegalStateException("badly");
                        }
                    })
                    .start()) {
                well = treadle.jobs()
                        .with(JobOptions.DEFAULT.withQueue("slips"))
                        .enqueue(new Go(true));
                badly = treadle.jobs().enqueue(new Go(false));
                later = treadle.jobs().schedule(Duration.ofHours(1), new Go(true));
                Work.untilIn(StateName.SUCCEEDED, storage, well);
                Work.untilIn(StateName.FAILED, storage, badly);
            }
            all = untilRecorded(recording, Map.of(well, 1, badly, 10));
        }

        List<String> names = names(all, well);
        // a job that is born here is claimed with its insert, and may run before its enqueue returns
        assertEquals(Set.of("JobEnqueued", "JobClaimed", "JobStarted", "JobFinished"), Set.copyOf(names));
        assertEquals(
                List.of("JobClaimed", "JobStarted", "JobFinished"),
                names.stream().filter(name -> !name.equals("JobEnqueued")).toList());
        RecordedEvent end = one(all, "JobFinished", well);
        assertEquals(Go.class.getName(), end.getString("type"));
        assertEquals("slips", end.getString("queue"));
        assertEquals(1, end.getInt("attempt"));
        assertEquals("COMPLETED", end.getString("outcome"));
        assertEquals("SUCCEEDED", end.getString("next"));
        assertNull(end.getString("failure"));
        assertTrue(end.getStartTime().compareTo(one(all, "JobStarted", well).getStartTime()) >= 0);
        assertTrue(end.getThread().getJavaName().startsWith("backgroundjob-worker-pool-"), end::toString);
        long waited = one(all, "JobClaimed", well).getDuration("sinceEnqueued").toMillis();
        assertTrue(waited >= 0 && waited < Await.LIMIT.toMillis(), () -> "waited " + waited + " ms");

        List<RecordedEvent> ends =
                all.stream().filter(event -> isOf(event, badly, "JobFinished")).toList();
        assertEquals(
                IntStream.rangeClosed(1, 10).boxed().toList(),
                ends.stream().map(event -> event.getInt("attempt")).sorted().toList());
        assertTrue(
                ends.stream().allMatch(event -> event.getString("failure").equals("java.lang.IllegalStateException")));
        assertTrue(one(all, "JobEnqueued", later).getBoolean("later"));
        assertEquals(1, names(all, later).size());
    }

    @Test
    void a_recording_that_begins_while_jobs_run_holds_those_that_come() throws IOException {
        InMemoryStorageProvider storage = new InMemoryStorageProvider();
        try (Treadle treadle = Treadle.on(storage)
                .settings(Work.QUICK)
                .handler(Go.class, (go, job) -> {})
                .start()) {
            Work.untilIn(StateName.SUCCEEDED, storage, treadle.jobs().enqueue(new Go(true)));
            try (Recording recording = new Recording()) {
                recording.start();
                JobId second = treadle.jobs().enqueue(new Go(true));
                Work.untilIn(StateName.SUCCEEDED, storage, second);
                assertEquals(
                        4,
                        names(untilRecorded(recording, Map.of(second, 1)), second)
                                .size());
            }
        }
    }

    @Test
    void a_job_that_somebody_triggers_was_enqueued_whether_or_not_that_is_audited() throws IOException {
        JobId plain;
        JobId audited;
        Path file = folder.resolve("triggered.jfr");
        try (Recording recording = new Recording();
                Treadle treadle = Treadle.on(new InMemoryStorageProvider())
                        .handler(Go.class, (go, job) -> {})
                        .enqueueOnly()) {
            recording.start();
            RecurringJobs recurring = treadle.jobs().recurring();
            treadle.jobs().recurring("slips", Schedule.every(Duration.ofDays(1)), new Go(true));
            plain = recurring.trigger("slips").orElseThrow();
            audited = recurring
                    .audited(new OperatorAct("TRIGGER", new OperatorNote("ann", "month end"), "slips"))
                    .trigger("slips")
                    .orElseThrow();
            recording.dump(file);
        }
        List<RecordedEvent> all = RecordingFile.readAllEvents(file);

        assertEquals(List.of("JobEnqueued"), names(all, plain));
        assertEquals(List.of("JobEnqueued"), names(all, audited));
    }

    /**
     * What was recorded once so many runs of each job have ended: a run tells of its end after that was written down, so its
     * state says nothing of that.
     */
    private List<RecordedEvent> untilRecorded(Recording recording, Map<JobId, Integer> runs) {
        List<RecordedEvent> all = new ArrayList<>();
        Await.until("all that ended is recorded", () -> {
            all.clear();
            try {
                Path file = Files.createTempFile(folder, "dumped", ".jfr");
                recording.dump(file);
                all.addAll(RecordingFile.readAllEvents(file));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return runs.entrySet().stream()
                    .allMatch(one -> all.stream()
                                    .filter(event -> isOf(event, one.getKey(), "JobFinished"))
                                    .count()
                            == one.getValue());
        });
        return all;
    }

    private static List<String> names(List<RecordedEvent> all, JobId job) {
        return all.stream()
                .filter(event ->
                        event.hasField("jobId") && event.getString("jobId").equals(job.toString()))
                .sorted(java.util.Comparator.comparing(RecordedEvent::getEndTime))
                .map(event -> event.getEventType().getName().replace("dev.treadle.", ""))
                .toList();
    }

    private static boolean isOf(RecordedEvent event, JobId job, String name) {
        return event.getEventType().getName().equals("dev.treadle." + name)
                && event.getString("jobId").equals(job.toString());
    }

    private static RecordedEvent one(List<RecordedEvent> all, String name, JobId job) {
        List<RecordedEvent> found =
                all.stream().filter(event -> isOf(event, job, name)).toList();
        assertEquals(1, found.size(), name);
        return found.get(0);
    }
}
