package dev.treadle.example.shop;

import dev.treadle.example.shop.experiment.Amount;
import dev.treadle.example.shop.experiment.Experiment;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.springframework.boot.SpringApplication;

/** {@code ./treadle spring}: starts the shop, or measures it. */
public final class Command {
    private static final int JAVA_VIRTUAL_MIN = 21;

    private Command() {}

    /** Exit status: 2 it was asked for something that is not possible, 1 the measurement failed. */
    public static void main(String[] arguments) throws InterruptedException {
        List<String> given = List.of(arguments);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        if (given.contains("--help") || given.contains("-h")) {
            out.print(Options.USAGE);
            return;
        }
        Options options;
        try {
            options = Options.parse(arguments);
            checkJava(options, Runtime.version().feature());
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage() + " ./treadle spring --help lists the options.");
            System.exit(2);
            return;
        }
        Amount amount = options.experiment();
        if (amount == null) {
            // why: devtools would call this method again, with the arguments that are meant for Spring
            System.setProperty("spring.devtools.restart.enabled", "false");
            SpringApplication.run(ShopApplication.class, options.forSpring().toArray(String[]::new));
            return;
        }
        try {
            new Experiment(amount, ShopApplication.class, String.join(" ", given), out).run(options.doc());
        } catch (IOException | IllegalStateException e) {
            System.err.println("The experiment failed: " + e.getMessage());
            System.exit(1);
        }
    }

    /** @throws IllegalArgumentException if this Java has no virtual threads, and they are asked for */
    static void checkJava(Options options, int java) {
        String asks = options.experiment() != null ? "--experiment" : "--threads virtual";
        if (java < JAVA_VIRTUAL_MIN
                && (options.experiment() != null || options.threads().equals("virtual"))) {
            throw new IllegalArgumentException(asks + " needs Java " + JAVA_VIRTUAL_MIN + ", and this is Java " + java
                    + ". Set JAVA_HOME to a newer JDK, or leave the option out.");
        }
    }
}
