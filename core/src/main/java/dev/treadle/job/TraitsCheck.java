package dev.treadle.job;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Refuses words, headers and amounts that no job may have. */
final class TraitsCheck {
    private TraitsCheck() {}

    static Map<String, String> checkedHeaders(Map<String, String> headers) {
        if (headers.size() > JobTraits.WORDS_MAX) {
            throw new IllegalArgumentException(
                    "A job has " + headers.size() + " headers and may have at most " + JobTraits.WORDS_MAX + ".");
        }
        headers.forEach((name, value) -> {
            checkWord("header", name);
            if (value.length() > JobTraits.HEADER_LENGTH_MAX) {
                throw new IllegalArgumentException("The header '" + name + "' has " + value.length()
                        + " characters and may have at most " + JobTraits.HEADER_LENGTH_MAX
                        + ". What is larger belongs into the job's arguments.");
            }
        });
        return Map.copyOf(headers);
    }

    static Map<String, Integer> checkedUses(Map<String, Integer> uses) {
        if (uses.size() > JobTraits.WORDS_MAX) {
            throw new IllegalArgumentException(
                    "A job uses " + uses.size() + " resources and may use at most " + JobTraits.WORDS_MAX + ".");
        }
        uses.forEach((resource, amount) -> {
            checkWord("resource", resource);
            if (amount < 1 || amount > JobTraits.AMOUNT_MAX) {
                throw new IllegalArgumentException("The job uses " + amount + " of '" + resource
                        + "', and that must be 1 to " + JobTraits.AMOUNT_MAX + ".");
            }
        });
        return Map.copyOf(uses);
    }

    static Set<String> words(String what, String... given) {
        Set<String> words = new TreeSet<>(List.of(given));
        if (words.size() > JobTraits.WORDS_MAX) {
            throw new IllegalArgumentException(
                    "A job has " + words.size() + " " + what + "s and may have at most " + JobTraits.WORDS_MAX + ".");
        }
        words.forEach(word -> checkWord(what, word));
        return Set.copyOf(words);
    }

    static void checkWord(String what, String word) {
        if (word.isBlank() || word.length() > JobTraits.WORD_LENGTH_MAX) {
            throw new IllegalArgumentException("The " + what + " '" + word + "' must have 1 to "
                    + JobTraits.WORD_LENGTH_MAX + " characters and not be blank.");
        }
    }
}
