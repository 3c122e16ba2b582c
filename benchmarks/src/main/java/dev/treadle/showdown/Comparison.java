package dev.treadle.showdown;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Says in words how virtual threads did beside the pool on the same JDK: where they win, and where they do not. */
final class Comparison {
    /** A difference up to this is none on a machine that others use too. */
    private static final double SAME_WITHIN = 0.05;

    private final Findings.Group group;

    Comparison(Findings.Group group) {
        this.group = group;
    }

    /** What is won or lost. */
    private static Map<String, ToDoubleFunction<Figures>> contested() {
        Map<String, ToDoubleFunction<Figures>> byName = new LinkedHashMap<>();
        byName.put("time", Figures::wallSeconds);
        byName.put("heap size", Figures::heapSize);
        byName.put("peak used", Figures::usedPeak);
        return byName;
    }

    List<String> sentences() {
        int last = group.labels().size() - 1;
        if (last < 1
                || group.finished(last).isEmpty()
                || group.finished(last - 1).isEmpty()) {
            return List.of();
        }
        Series virtual = group.finished(last).get();
        Series pool = group.finished(last - 1).get();
        List<String> words = new ArrayList<>();
        words.add("took " + Units.seconds(virtual.median(Figures::wallSeconds)) + " s where " + pool.contender() + " ("
                + Units.count(pool.permits()) + " permits) took " + Units.seconds(pool.median(Figures::wallSeconds))
                + " s ("
                + inWords(virtual, pool, Figures::wallSeconds) + ")");
        words.add("heap size " + inWords(virtual, pool, Figures::heapSize));
        words.add("peak used " + inWords(virtual, pool, Figures::usedPeak));
        words.add("live after a collection, at most, " + inWords(virtual, pool, Figures::liveMax));
        words.add("allocated for each slip " + inWords(virtual, pool, Figures::allocatedPerSlip));
        words.add("processor time " + inWords(virtual, pool, Figures::cpuSeconds));
        words.add(Units.count(virtual.median(Figures::threads)) + " threads instead of "
                + Units.count(pool.median(Figures::threads)));
        return List.of(group.title() + ": " + virtual.contender() + " (" + Units.count(virtual.permits()) + " permits) "
                + String.join("; ", words) + ". " + verdict(virtual, pool));
    }

    private static String verdict(Series virtual, Series pool) {
        List<String> lost = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        contested().forEach((name, figure) -> {
            if (isUnknown(virtual, figure) || isUnknown(pool, figure)) {
                unknown.add(name);
            } else if (virtual.median(figure) > pool.median(figure) * (1 + SAME_WITHIN)) {
                lost.add(name);
            }
        });
        if (!unknown.isEmpty()) {
            return "Who wins is not known: there is no figure of " + String.join(", ", unknown) + ".";
        }
        return lost.isEmpty()
                ? "Virtual threads win or draw on time and on heap."
                : "Virtual threads do not win on " + String.join(", ", lost) + " here.";
    }

    /** Whether nothing was seen: no run takes no time, and no JVM no heap. */
    private static boolean isUnknown(Series series, ToDoubleFunction<Figures> figure) {
        return series.median(figure) == 0;
    }

    /** Such as {@code 40 % less}, {@code 16 times less}, {@code the same within 5 %} or {@code not known}. */
    private static String inWords(Series virtual, Series pool, ToDoubleFunction<Figures> figure) {
        if (isUnknown(virtual, figure) || isUnknown(pool, figure)) {
            return "not known";
        }
        double ours = virtual.median(figure);
        double theirs = pool.median(figure);
        if (Math.abs(ours / theirs - 1) <= SAME_WITHIN) {
            return "the same within 5 %";
        }
        if (ours < theirs) {
            return theirs / ours >= 2
                    ? String.format(Locale.ROOT, "%.1f times less", theirs / ours)
                    : String.format(Locale.ROOT, "%.0f %% less", 100 * (1 - ours / theirs));
        }
        return ours / theirs >= 2
                ? String.format(Locale.ROOT, "%.1f times as much", ours / theirs)
                : String.format(Locale.ROOT, "%.0f %% more", 100 * (ours / theirs - 1));
    }
}
