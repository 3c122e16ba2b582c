package dev.treadle.benchmark;

import java.io.IOException;

/** A process that loads a few classes, says so, and ends when nobody wants anything of it any more. */
final class ArchivedMain {
    private ArchivedMain() {}

    public static void main(String[] arguments) throws IOException {
        System.out.println(Sample.of(Measure.SECONDS, 0).line());
        while (System.in.read() >= 0) {}
    }
}
