package dev.treadle.example.slip;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Fills and converts the Word document anew for every slip: the published workload, and seven times the allocation.
 *
 * <p>Thread-safe, because no document is shared.
 */
final class WordEachTime implements FoSource {

    @Override
    public String foFor(SalarySlip slip) {
        Map<String, String> values = new HashMap<>();
        Arrays.stream(Placeholder.values()).forEach(p -> values.put(p.key(), XmlText.escaped(p.valueIn(slip))));
        var word = WordTemplate.load();
        WordTemplate.fill(word, values);
        return WordTemplate.toFo(word);
    }
}
