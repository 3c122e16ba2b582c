package dev.treadle.benchmark;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What one run gave. Written as one line from the process that measured to the one that reports. */
record Sample(Map<Measure, Double> values) {
    static final String MARK = "RESULT";

    Sample {
        values = Map.copyOf(values);
    }

    static Sample of(Measure measure, double value) {
        return new Sample(Map.of(measure, value));
    }

    Sample with(Measure measure, double value) {
        Map<Measure, Double> more = new EnumMap<>(Measure.class);
        more.putAll(values);
        more.put(measure, value);
        return new Sample(more);
    }

    Sample with(Sample other) {
        Map<Measure, Double> more = new EnumMap<>(Measure.class);
        more.putAll(values);
        more.putAll(other.values);
        return new Sample(more);
    }

    String line() {
        List<String> parts = new ArrayList<>(List.of(MARK));
        values.forEach((measure, value) -> parts.add(measure.key() + "=" + value));
        return String.join(" ", parts);
    }

    static boolean isLine(String line) {
        return line.startsWith(MARK + " ");
    }

    static Sample parse(String line) {
        Map<Measure, Double> values = new EnumMap<>(Measure.class);
        for (String part : line.substring(MARK.length()).trim().split(" ")) {
            int equals = part.indexOf('=');
            values.put(Measure.of(part.substring(0, equals)), Double.parseDouble(part.substring(equals + 1)));
        }
        return new Sample(values);
    }
}
