package dev.treadle.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** What processes have cost so far, from {@code /proc}; zero where there is none. */
public final class ProcessTimes {
    private static final Path PROC = Path.of("/proc");
    /** Clock ticks are hundredths of a second on every Linux there is. */
    private static final double MICROS_PER_TICK = 10_000;

    private ProcessTimes() {}

    /** Microseconds of CPU that these processes have used. */
    static double micros(List<Long> pids) {
        return pids.stream().mapToLong(pid -> ticks(pid, false)).sum() * MICROS_PER_TICK;
    }

    /** Microseconds of CPU that a process has used together with its children, those that have ended included. */
    static double microsWithChildren(long pid) {
        long own = ticks(pid, true);
        long children;
        try (Stream<Path> processes = Files.list(PROC)) {
            children = processes
                    .filter(path -> path.getFileName().toString().chars().allMatch(Character::isDigit))
                    .mapToLong(path -> Long.parseLong(path.getFileName().toString()))
                    .filter(child -> parent(child) == pid)
                    .map(child -> ticks(child, false))
                    .sum();
        } catch (IOException e) {
            return 0;
        }
        return (own + children) * MICROS_PER_TICK;
    }

    /** Most memory that these processes have had resident, in bytes. */
    public static double residentPeak(List<Long> pids) {
        return pids.stream().mapToLong(ProcessTimes::residentPeak).sum();
    }

    private static long residentPeak(long pid) {
        try (Stream<String> lines = Files.lines(PROC.resolve(pid + "/status"))) {
            return lines.filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }

    private static long parent(long pid) {
        String[] fields = fields(pid);
        return fields.length > 1 ? Long.parseLong(fields[1]) : -1;
    }

    private static long ticks(long pid, boolean withEnded) {
        String[] fields = fields(pid);
        return LongStream.rangeClosed(11, withEnded ? 14 : 12)
                .filter(i -> i < fields.length)
                .map(i -> Long.parseLong(fields[(int) i]))
                .sum();
    }

    /** The fields of {@code /proc/<pid>/stat} from the state on; the name before it may hold spaces. */
    private static String[] fields(long pid) {
        try {
            String stat = Files.readString(PROC.resolve(pid + "/stat"));
            return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        } catch (IOException e) {
            return new String[0];
        }
    }
}
