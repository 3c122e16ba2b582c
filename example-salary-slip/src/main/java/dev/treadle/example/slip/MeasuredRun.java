package dev.treadle.example.slip;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The demo for a process that measures it from outside: a warm-up, then a word on each side, then the run between two marks.
 *
 * <p>On standard output stand {@code @ready}, {@code @begin <when>} and {@code @end <when> <slips>}, with times in
 * milliseconds since 1970; between the first two a line is awaited on standard input. The run begins after a full
 * collection, ends when the last PDF has been written, and is followed by another collection.
 */
public final class MeasuredRun {
    private static final OutputStream NOWHERE = OutputStream.nullOutputStream();

    private final int warmUpSlips;
    private final String[] demo;
    private final BufferedReader orders;
    private final PrintStream out;

    MeasuredRun(int warmUpSlips, String[] demo, Reader orders, PrintStream out) {
        this.warmUpSlips = warmUpSlips;
        this.demo = demo;
        this.orders = new BufferedReader(orders);
        this.out = out;
    }

    /** @param args how many slips to warm up with, 0 for none; then the demo's options */
    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        String[] demo = Stream.of(args).skip(1).toArray(String[]::new);
        Reader orders = new InputStreamReader(System.in, StandardCharsets.UTF_8);
        System.exit(new MeasuredRun(Integer.parseInt(args[0]), demo, orders, out).run() ? 0 : 1);
    }

    /** Whether every slip is there. */
    boolean run() throws IOException, SQLException, InterruptedException {
        DemoOptions options = DemoOptions.parse(demo);
        if (warmUpSlips > 0) {
            new Demo(warmUp(options), new PrintStream(NOWHERE, false, StandardCharsets.UTF_8)).run();
        }
        out.println("@ready");
        orders.readLine();
        System.gc();
        out.println("@begin " + System.currentTimeMillis());
        boolean complete = new Demo(options, out).run();
        List<Path> slips = slips(options.out());
        out.println("@end " + lastOf(slips) + " " + slips.size());
        return complete;
    }

    /** The same without waiting for the time clock, in folders of its own. */
    private DemoOptions warmUp(DemoOptions options) {
        List<String> changed = new ArrayList<>(List.of(demo));
        changed.addAll(List.of("--employees", Integer.toString(warmUpSlips), "--time-clock", "0s"));
        changed.addAll(List.of("--out", beside(options.out()), "--data", beside(options.data())));
        return DemoOptions.parse(changed.toArray(String[]::new));
    }

    private static String beside(Path folder) {
        return folder.resolveSibling(folder.getFileName() + "-warm-up").toString();
    }

    private static List<Path> slips(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".pdf")).toList();
        }
    }

    private static long lastOf(List<Path> slips) {
        return slips.stream()
                .mapToLong(slip -> slip.toFile().lastModified())
                .max()
                .orElseGet(System::currentTimeMillis);
    }
}
