package dev.treadle.example.slip;

import java.nio.file.Path;

/** Renders slips into a folder for people to look at: arguments are the folder and how many. */
final class RenderSome {

    private RenderSome() {}

    public static void main(String[] args) throws Exception {
        SlipFiles files = new SlipFiles(Path.of(args[0]), new SlipRenderer());
        int count = Integer.parseInt(args[1]);
        for (long id = 1; id <= count; id++) {
            System.out.println(files.write(SampleSlips.march(id)));
        }
    }
}
