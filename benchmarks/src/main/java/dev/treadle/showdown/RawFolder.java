package dev.treadle.showdown;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What was seen, as files: the report is made from them and nothing else. */
final class RawFolder {
    private static final String RUNS = "runs.csv";
    private static final String SMALLEST = "smallest-heap.csv";
    private static final Pattern CURVE = Pattern.compile("curve-.*\\.csv");
    private static final String FACTS = "facts.csv";

    private final Path folder;
    private final List<RunRow> runs = new ArrayList<>();

    RawFolder(Path folder) {
        this.folder = folder;
    }

    /** Makes it, if it is not there. */
    void create() {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("the folder " + folder + " cannot be made: " + e.getMessage(), e);
        }
    }

    /** Forgets the runs of an earlier showdown, and keeps what was found of the smallest heap. */
    void forgetRuns() {
        runs().forEach(run -> Stream.of(
                        samplesFile(run.run()), collectionsFile(run.run()), recording(run.run()), log(run.run()))
                .forEach(RawFolder::delete));
        delete(folder.resolve(RUNS));
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + file, e);
        }
    }

    /** Files a run; the file is complete after each, so that what was seen before Ctrl-C can be reported. */
    void add(RunRow row) {
        runs.add(row);
        Csv.write(
                folder.resolve(RUNS),
                RunRow.NAMES,
                runs.stream().map(Rows::values).toList());
    }

    List<RunRow> runs() {
        return Csv.read(folder.resolve(RUNS)).stream().map(RunRow::of).toList();
    }

    void writeSamples(String run, List<Sample> samples) {
        Csv.write(
                samplesFile(run),
                Sample.NAMES,
                samples.stream().map(Sample::values).toList());
    }

    List<Sample> samples(String run) {
        return Csv.read(samplesFile(run)).stream()
                .map(Sample::of)
                .sorted(Comparator.comparingLong(Sample::millis))
                .toList();
    }

    void writeCollections(String run, List<Collected> collections) {
        Csv.write(
                collectionsFile(run),
                Collected.NAMES,
                collections.stream().map(Collected::values).toList());
    }

    List<Collected> collections(String run) {
        return Csv.read(collectionsFile(run)).stream().map(Collected::of).toList();
    }

    void writeSmallest(List<SmallestRow> rows) {
        Csv.write(
                folder.resolve(SMALLEST),
                SmallestRow.NAMES,
                rows.stream().map(Rows::values).toList());
    }

    /**
     * Files a point of the curve, in a file of its own: several processes may measure into the same folder, and what one
     * has measured before it is ended stays.
     */
    void add(CurveRow row) {
        try {
            Path unfinished = Files.createTempFile(folder, "unfinished", "");
            Csv.write(unfinished, CurveRow.NAMES, List.of(Rows.values(row)));
            Files.move(unfinished, folder.resolve(row.run() + ".csv"), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + row.run() + ".csv into " + folder, e);
        }
    }

    /** All points of the curve. */
    List<CurveRow> curve() {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(
                            file -> CURVE.matcher(file.getFileName().toString()).matches())
                    .sorted()
                    .flatMap(file -> Csv.read(file).stream())
                    .map(CurveRow::of)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + folder, e);
        }
    }

    List<SmallestRow> smallest() {
        return Csv.read(folder.resolve(SMALLEST)).stream().map(SmallestRow::of).toList();
    }

    /** What else has to be known to read the figures: machine, JDKs, what is missing. */
    void writeFacts(List<List<String>> facts) {
        Csv.write(folder.resolve(FACTS), List.of("name", "value"), facts);
    }

    /** Name and value of each. */
    List<Map.Entry<String, String>> facts() {
        return Csv.read(folder.resolve(FACTS)).stream()
                .map(row -> Map.entry(row.get("name"), row.get("value")))
                .toList();
    }

    private Path samplesFile(String run) {
        return folder.resolve(run + "-samples.csv");
    }

    private Path collectionsFile(String run) {
        return folder.resolve(run + "-collections.csv");
    }

    Path recording(String run) {
        return folder.resolve(run + ".jfr");
    }

    Path recordingSettings() {
        return folder.resolve("recording.jfc");
    }

    Path log(String run) {
        return folder.resolve(run + ".log");
    }
}
