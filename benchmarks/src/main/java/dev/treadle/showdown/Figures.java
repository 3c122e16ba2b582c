package dev.treadle.showdown;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * What one run came to, from what was seen of it from its begin to its end: the samples go on while its JVM ends.
 *
 * @param wallSeconds       from its begin until the last PDF was written
 * @param heapSize          the most heap that the JVM held, in bytes
 * @param usedPeak          the most heap in use, garbage included, as sampled
 * @param liveMax           the most that was left in use by a collection during the run
 * @param liveEnd           what is left in use by the full collection after the run
 * @param allocatedPerSlip  bytes allocated in the whole process for each slip, from the heap between collections
 * @param cpuSeconds        processor time of the process
 * @param threads           platform threads at the peak
 * @param running           jobs that ran at once at the peak
 * @param collections       how many collections stopped all threads
 * @param pausesMillis      for how long they did, together
 * @param residentBytes     most resident memory of the process
 */
record Figures(
        double wallSeconds,
        long heapSize,
        long usedPeak,
        long liveMax,
        long liveEnd,
        double allocatedPerSlip,
        double cpuSeconds,
        int threads,
        int running,
        int collections,
        double pausesMillis,
        long residentBytes) {

    /** @param all the collections from the full one before the run to the full one after it; may be empty */
    static Figures of(RunRow run, List<Sample> samples, List<Collected> all) {
        List<Collected> withHeap = all.stream().filter(Collected::hasHeap).toList();
        List<Collected> during = all.size() < 2 ? List.of() : all.subList(1, all.size() - 1);
        List<Sample> seen = samples.stream()
                .filter(sample -> sample.millis() <= run.wallMillis())
                .toList();
        long allocated = 0;
        for (int i = 1; i < withHeap.size(); i++) {
            allocated +=
                    Math.max(0, withHeap.get(i).before() - withHeap.get(i - 1).after());
        }
        return new Figures(
                run.wallMillis() / 1_000.0,
                max(seen, Sample::size),
                max(seen, Sample::used),
                max(during, Collected::after),
                all.isEmpty() ? 0 : all.get(all.size() - 1).after(),
                run.slips() == 0 ? 0 : allocated / (double) run.slips(),
                cpuNanos(samples, run.wallMillis()) / 1e9,
                (int) max(seen, Sample::threads),
                (int) max(seen, Sample::running),
                (int) during.stream().filter(one -> one.pauseMicros() > 0).count(),
                during.stream().mapToLong(Collected::pauseMicros).sum() / 1e3,
                run.residentBytes());
    }

    /** What was used from the first sample to the end. The sample after the end tells a part of that. */
    private static double cpuNanos(List<Sample> samples, long end) {
        double used = 0;
        for (int i = 1; i < samples.size(); i++) {
            Sample from = samples.get(i - 1);
            Sample to = samples.get(i);
            if (from.millis() >= end) {
                break;
            }
            double part = Math.min(1, (end - from.millis()) / (double) Math.max(1, to.millis() - from.millis()));
            used += (to.cpuNanos() - from.cpuNanos()) * part;
        }
        return used;
    }

    private static <T> long max(List<T> all, ToLongFunction<T> value) {
        return all.stream().mapToLong(value).max().orElse(0);
    }
}
