package dev.treadle.example.slip;

import java.util.Arrays;
import java.util.Locale;

/** How a slip becomes a PDF. */
enum Renderer {
    /** The Word template was converted once, by the build; a slip is filled text that FOP lays out. */
    FOP {
        @Override
        FoSource source() {
            return SavedFo.fromBuild();
        }
    },
    /**
     * The published workload: docx4j parses, fills and converts the Word document anew for each slip, and FOP lays out
     * the same page: ten times the processor time, six times the allocation, and 35 MB of heap for its own classes.
     */
    DOCX4J {
        @Override
        FoSource source() {
            return new WordEachTime();
        }
    };

    abstract FoSource source();

    /** As it is written on the command line. */
    String printed() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Renderer named(String name) {
        return Arrays.stream(values())
                .filter(renderer -> renderer.printed().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--renderer takes fop or docx4j, not '" + name + "'."));
    }
}
