package dev.treadle.showdown;

import dev.treadle.benchmark.Noise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Where runs take place: starts each JVM, looks at it until it has ended, and files what was seen. */
final class Track {
    private static final String MAIN = "dev.treadle.example.slip.MeasuredRun";
    private static final int FIRST_HEAP_MB = 64;

    private final ShowdownOptions options;
    private final String classPath;
    private final RawFolder raw;
    private final Noise noise = new Noise();

    /** @param classPath the salary slips and all they need */
    Track(ShowdownOptions options, String classPath, RawFolder raw) {
        this.options = options;
        this.classPath = classPath;
        this.raw = raw;
    }

    /** One run that is watched and recorded. */
    RunRow measure(Plan.Run run, int warmUp, boolean byDefault, Duration limit)
            throws IOException, InterruptedException {
        Path recording = raw.recording(run.id());
        Files.writeString(raw.recordingSettings(), Recording.SETTINGS);
        List<String> flags = List.of("-XX:StartFlightRecording=filename=" + recording + ",settings="
                + raw.recordingSettings() + ",dumponexit=true");
        Path folder = workingFolder();
        List<String> command = command(run.setup(), options.heap(), flags, folder, warmUp);
        try (SlipJvm jvm = new SlipJvm(command, folder, raw.log(run.id()), limit)) {
            noise.begin(0);
            Seen seen = watch(jvm);
            SlipJvm.Ended ended = jvm.end();
            raw.writeSamples(run.id(), seen.samples());
            // why not of others: a process that is killed leaves no recording, or half of one
            raw.writeCollections(
                    run.id(),
                    ended.fate() == Fate.FINISHED
                            ? Recording.collections(recording, seen.began(), seen.ended())
                            : List.of());
            RunRow row = row(run, byDefault, seen, ended, jvm.slips());
            raw.add(row);
            return row;
        }
    }

    private RunRow row(Plan.Run run, boolean byDefault, Seen seen, SlipJvm.Ended ended, int slips) {
        Setup setup = run.setup();
        return new RunRow(
                run.id(),
                setup.contender().label(),
                setup.renderer(),
                setup.permits(),
                byDefault,
                run.round(),
                options.employees(),
                options.timeClock(),
                options.heap(),
                ended.fate(),
                ended.how(),
                ended.fate() == Fate.FINISHED ? seen.ended() - seen.began() : 0,
                slips,
                seen.residentBytes(),
                Math.round(1_000 * noise.othersShare(0)),
                // one that died is told anyway, and its end is why nobody could look
                ended.fate() == Fate.FINISHED ? seen.trouble() : "");
    }

    private record Seen(long began, long ended, List<Sample> samples, long residentBytes, String trouble) {
        static final Seen NOTHING = new Seen(0, 0, List.of(), 0, "nobody looked");
    }

    private Seen watch(SlipJvm jvm) throws IOException, InterruptedException {
        if (jvm.await("@ready").isEmpty()) {
            return Seen.NOTHING;
        }
        try (Sampler sampler = Sampler.attach(jvm.pid())) {
            noise.begin(0);
            jvm.tell("go");
            Optional<List<String>> begin = jvm.await("@begin");
            sampler.begin();
            Optional<List<String>> end = jvm.await("@end");
            sampler.look();
            long began = begin.map(words -> Long.parseLong(words.get(0))).orElse(System.currentTimeMillis());
            long ended = end.map(words -> Long.parseLong(words.get(0))).orElse(System.currentTimeMillis());
            return new Seen(began, ended, sampler.since(began), sampler.residentPeak(), sampler.troubleBefore(ended));
        } catch (IOException e) {
            if (jvm.isAlive()) {
                throw e;
            }
            return Seen.NOTHING;
        }
    }

    /** One run that only has to finish, with that much heap: not watched, so that watching takes none of it. */
    SlipJvm.Ended attempt(Setup setup, int heap, Duration limit) throws IOException, InterruptedException {
        Path folder = workingFolder();
        List<String> command = command(setup, heap, List.of(), folder, 0);
        try (SlipJvm jvm = new SlipJvm(command, folder, raw.log(setup.id() + "-" + heap + "mb"), limit)) {
            if (jvm.await("@ready").isPresent()) {
                jvm.tell("go");
            }
            SlipJvm.Ended ended = jvm.end();
            if (ended.fate() == Fate.FINISHED) {
                return ended;
            }
            String written = " with " + jvm.slips() + " of " + options.employees() + " slips written";
            return new SlipJvm.Ended(ended.fate(), ended.how() + written);
        }
    }

    /** One run that is timed, from outside and by its own marks, with nothing in it that takes heap. */
    CurveRow time(CurvePlan.Point point, boolean byDefault, Duration limit) throws IOException, InterruptedException {
        Path folder = workingFolder();
        Setup setup = point.setup();
        List<String> command = command(setup, point.heap(), List.of(GcLog.FLAG), folder, 0);
        try (SlipJvm jvm = new SlipJvm(command, folder, raw.log(point.id()), limit)) {
            long began = 0;
            long last = 0;
            noise.begin(0);
            if (jvm.await("@ready").isPresent()) {
                jvm.tell("go");
                began = millis(jvm.await("@begin"));
                last = millis(jvm.await("@end"));
            }
            SlipJvm.Ended ended = jvm.end();
            GcLog collections = GcLog.read(raw.log(point.id()));
            CurveRow row = new CurveRow(
                    point.id(),
                    setup.contender().label(),
                    setup.contender().executor(),
                    setup.renderer(),
                    setup.permits(),
                    byDefault,
                    setup.guarded(),
                    point.round(),
                    options.employees(),
                    options.timeClock(),
                    point.heap(),
                    ended.fate(),
                    ended.how(),
                    ended.fate() == Fate.FINISHED ? last - began : 0,
                    jvm.slips(),
                    collections.heapSize(),
                    collections.pauses(),
                    collections.pausedMillis(),
                    Math.round(1_000 * noise.othersShare(0)));
            raw.add(row);
            return row;
        }
    }

    private static long millis(Optional<List<String>> mark) {
        return mark.map(words -> Long.parseLong(words.get(0))).orElse(0L);
    }

    private static Path workingFolder() throws IOException {
        return Files.createTempDirectory("treadle-showdown");
    }

    private List<String> command(Setup setup, int heap, List<String> flags, Path folder, int warmUp) {
        Jdk jdk = Objects.requireNonNull(setup.contender().jdk(), "a run needs a JDK");
        List<String> command =
                new ArrayList<>(List.of(jdk.home().resolve("bin/java").toString()));
        command.addAll(List.of("-Xmx" + heap + "m", "-Xms" + Math.min(heap, FIRST_HEAP_MB) + "m", "-XX:+UseG1GC"));
        command.addAll(List.of("-XX:+ExitOnOutOfMemoryError", "-Djava.awt.headless=true"));
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath, MAIN, Integer.toString(warmUp)));
        command.addAll(List.of("--employees", Integer.toString(options.employees())));
        command.addAll(List.of("--executor", setup.contender().executor()));
        command.addAll(List.of("--workers", Integer.toString(setup.permits())));
        command.addAll(List.of("--renderer", setup.renderer(), "--time-clock", options.timeClock()));
        command.addAll(List.of("--out", folder.resolve(SlipJvm.SLIPS).toString()));
        command.addAll(List.of("--data", folder.resolve("data").toString()));
        command.addAll(List.of("--exit", "--clean", "--port", "0"));
        if (setup.guarded()) {
            command.add("--heap-guard");
        }
        return command;
    }
}
