package dev.treadle.lifecycle;

import dev.treadle.job.StateName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What {@code docs/states.md} says: two tables with a row for each trigger, and a diagram. */
record StatesPage(
        List<String> columns,
        Map<String, List<String>> moves,
        Map<String, List<String>> writes,
        Map<String, TreeSet<String>> arrows) {
    /** The cell of a trigger that cannot happen in a state, or does nothing. */
    static final String REFUSED = "–";

    private static final int CELLS_OF_AN_EFFECT = 4;

    static StatesPage read() {
        StatesPage page = new StatesPage(new ArrayList<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
        try {
            Files.readAllLines(Path.of("..", "docs", "states.md")).forEach(page::line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return page;
    }

    private void line(String line) {
        if (line.contains(" --> ")) {
            String[] arrow = line.strip().split(": ");
            arrows.put(arrow[0], new TreeSet<>(Arrays.asList(arrow[1].split(", "))));
        } else if (line.startsWith("| ")) {
            List<String> cells = Arrays.stream(
                            line.replace("`", "").substring(1).split("\\|"))
                    .map(String::strip)
                    .toList();
            List<String> rest = cells.subList(1, cells.size());
            if (!cells.get(0).equals("trigger")) {
                (rest.size() == CELLS_OF_AN_EFFECT ? writes : moves).put(cells.get(0), rest);
            } else if (rest.size() != CELLS_OF_AN_EFFECT) {
                columns.addAll(rest);
            }
        }
    }

    /** What follows, or {@link #REFUSED}. */
    String next(Trigger trigger, @Nullable StateName state) {
        return row(moves, trigger).get(columns.indexOf(name(state, "(new)")));
    }

    /** Attempts, history, due, run. */
    List<String> effect(Trigger trigger) {
        return row(writes, trigger);
    }

    private static List<String> row(Map<String, List<String>> table, Trigger trigger) {
        return Objects.requireNonNull(table.get(trigger.name()), () -> "the page has no row for " + trigger);
    }

    int cells() {
        return moves.values().stream().mapToInt(List::size).sum();
    }

    int effects() {
        return writes.size();
    }

    /** As people write a state. */
    static String name(@Nullable StateName state, String none) {
        return state == null
                ? none
                : state.name().charAt(0) + state.name().substring(1).toLowerCase(Locale.ROOT);
    }
}
