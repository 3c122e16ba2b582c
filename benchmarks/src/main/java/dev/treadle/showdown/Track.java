package dev.treadle.showdown;

import dev.treadle.benchmark.Noise;
import dev.treadle.benchmark.ProcessTimes;
import dev.treadle.benchmark.TempFolder;
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
        try (TempFolder folder = new TempFolder("treadle-showdown");
                SlipJvm jvm = new SlipJvm(
                        command(run.setup(), options.heap(), flags, folder.path(), warmUp), raw.log(run.id()), limit)) {
            noise.begin(0);
            Seen seen = watch(jvm);
            SlipJvm.Ended ended = jvm.end();
            raw.writeSamples(run.id(), seen.samples());
            raw.writeCollections(run.id(), Recording.collections(recording, seen.began(), seen.ended()));
            RunRow row =
                    row(run, byDefault, seen, ended, SlipJvm.slips(folder.path().resolve("out")));
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
                Math.round(1_000 * noise.othersShare(0)));
    }

    private record Seen(long began, long ended, List<Sample> samples, long residentBytes) {}

    private Seen watch(SlipJvm jvm) throws IOException, InterruptedException {
        if (jvm.await("@ready").isEmpty()) {
            return new Seen(0, 0, List.of(), 0);
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
            return new Seen(began, ended, sampler.since(began), (long) ProcessTimes.residentPeak(List.of(jvm.pid())));
        }
    }

    /** One run that only has to finish, with that much heap: not watched, so that watching takes none of it. */
    SlipJvm.Ended attempt(Setup setup, int heap, Duration limit) throws InterruptedException {
        try (TempFolder folder = new TempFolder("treadle-showdown");
                SlipJvm jvm = new SlipJvm(
                        command(setup, heap, List.of(), folder.path(), 0),
                        raw.log(setup.id() + "-" + heap + "mb"),
                        limit)) {
            if (jvm.await("@ready").isPresent()) {
                jvm.tell("go");
            }
            SlipJvm.Ended ended = jvm.end();
            if (ended.fate() == Fate.FINISHED) {
                return ended;
            }
            int slips = SlipJvm.slips(folder.path().resolve("out"));
            return new SlipJvm.Ended(
                    ended.fate(), ended.how() + " with " + slips + " of " + options.employees() + " slips written");
        }
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
        command.addAll(List.of("--out", folder.resolve("out").toString()));
        command.addAll(List.of("--data", folder.resolve("data").toString()));
        command.addAll(List.of("--exit", "--clean", "--port", "0"));
        return command;
    }
}
