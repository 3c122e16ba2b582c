package dev.treadle.showdown;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Tables as text: a line of names, then lines of values. No value holds a comma or a line break. */
final class Csv {
    private Csv() {}

    static String line(List<?> values) {
        return values.stream()
                .map(value -> String.valueOf(value)
                        .replace(',', ';')
                        .replaceAll("\\s+", " ")
                        .trim())
                .collect(Collectors.joining(","));
    }

    static void write(Path file, List<String> names, List<? extends List<?>> rows) {
        List<String> lines = new ArrayList<>(List.of(line(names)));
        rows.forEach(row -> lines.add(line(row)));
        try {
            Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    /** @return no rows if there is no such file */
    static List<Map<String, String>> read(Path file) {
        if (!Files.exists(file)) {
            return List.of();
        }
        try {
            List<String> lines = Files.readAllLines(file);
            String[] names = lines.get(0).split(",");
            List<Map<String, String>> rows = new ArrayList<>();
            for (String line : lines.subList(1, lines.size())) {
                String[] values = line.split(",", -1);
                if (values.length != names.length) {
                    throw new IllegalStateException(file + " has a line with " + values.length + " values under "
                            + names.length + " names: " + line);
                }
                Map<String, String> row = new LinkedHashMap<>();
                for (int i = 0; i < names.length; i++) {
                    row.put(names[i], values[i]);
                }
                rows.add(row);
            }
            return rows;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }
}
