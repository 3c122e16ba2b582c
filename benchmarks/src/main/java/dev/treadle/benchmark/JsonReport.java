package dev.treadle.benchmark;

import java.util.StringJoiner;

/** Results for machines: one object per line, medians. */
final class JsonReport {
    private JsonReport() {}

    static String line(Series series) {
        StringJoiner json = new StringJoiner(",", "{", "}");
        json.add("\"workload\":\"" + series.workload() + "\"");
        json.add("\"peer\":\"" + series.peer() + "\"");
        for (Measure measure : Measure.values()) {
            if (measure.isForMachines() && series.has(measure)) {
                json.add("\"" + measure.key() + "\":" + measure.json(series.median(measure)));
            }
        }
        return json.toString();
    }
}
