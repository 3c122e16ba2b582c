package dev.treadle.storage.sql;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What a dialect's verbs say, each read when it is first wanted: a start needs few of them. Thread-safe. */
final class Statements {
    private final Dialect dialect;
    private final Map<Verb, String> texts = new ConcurrentHashMap<>();

    Statements(Dialect dialect) {
        this.dialect = dialect;
    }

    String of(Verb verb) {
        String known = texts.get(verb);
        return known != null ? known : texts.computeIfAbsent(verb, this::read);
    }

    private String read(Verb verb) {
        return SqlText.verb(dialect, verb.file())
                .orElseThrow(() -> new IllegalStateException(dialect + " has no statement for " + verb + "."));
    }
}
