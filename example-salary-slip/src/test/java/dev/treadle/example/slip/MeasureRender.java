package dev.treadle.example.slip;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/** Says what one slip costs on one thread, warm: arguments are {@code saved} or {@code word}, and how many slips. */
final class MeasureRender {

    private MeasureRender() {}

    public static void main(String[] args) throws Exception {
        FoSource source = args[0].equals("word") ? new WordEachTime() : SavedFo.fromBuild();
        int count = Integer.parseInt(args[1]);
        SlipRenderer renderer = new SlipRenderer(source, 1);
        for (int round = 1; round <= 4; round++) {
            measure(renderer, count);
        }
        System.gc();
        var heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        System.out.printf(Locale.ROOT, "live heap %.1f MB%n", heap.getUsed() / 1e6);
        measure(renderer, 1);
    }

    private static void measure(SlipRenderer renderer, int count) throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().getId();
        long bytes = threads.getThreadAllocatedBytes(id);
        long nanos = System.nanoTime();
        long pdf = 0;
        for (int i = 1; i <= count; i++) {
            ByteArrayOutputStream out = new ByteArrayOutputStream(32_768);
            renderer.render(SampleSlips.march(i), out);
            pdf += out.size();
        }
        System.out.printf(
                Locale.ROOT,
                "%d slips: %.1f ms, %.2f MB allocated, %.1f KB of PDF each%n",
                count,
                (System.nanoTime() - nanos) / 1e6 / count,
                (threads.getThreadAllocatedBytes(id) - bytes) / 1e6 / count,
                pdf / 1e3 / count);
    }
}
