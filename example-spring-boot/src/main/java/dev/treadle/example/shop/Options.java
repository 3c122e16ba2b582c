package dev.treadle.example.shop;

import dev.treadle.example.shop.experiment.Amount;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the command was asked for.
 *
 * @param storage    h2 or a JDBC URL
 * @param data       where the H2 file lives
 * @param threads    auto, virtual or platform
 * @param doc        the page to write; null to print only
 * @param experiment how much the experiment does; null to run the shop
 */
record Options(
        int port,
        String storage,
        Path data,
        String threads,
        @Nullable Path doc,
        @Nullable Amount experiment) {
    static final String USAGE = """
            ./treadle spring: a web shop with Spring Boot, whose orders take their jobs along

              --port N            where it listens, on loopback only (8080)
              --storage NAME      h2, or a URL such as jdbc:postgresql://localhost/shop?user=shop&password=… (h2)
              --data DIR          where the H2 file lives; the same folder again goes on with what was left (shop-data)
              --threads NAME      virtual or platform, for Tomcat, tasks and jobs (virtual on Java 21 and up)
              --help              this page

            ./treadle spring --experiment: requests, tasks and jobs that wait, on platform and on virtual threads

              --quick             a tenth of the work, once: about a minute
              --rounds N          how often each is measured, in turn (3)
              --doc FILE          writes the page, such as docs/spring-experiment.md

            Try it:  curl -X POST 'localhost:8080/orders?item=pens&pieces=3'     an order; its jobs are committed with it
                     curl localhost:8080/                                        how many orders there are, and unfinished ones
                     curl localhost:8080/where-am-i                              the threads of a request, a task and a job
                     http://localhost:8080/treadle/                              the dashboard
            """;

    private static final Options DEFAULT = new Options(8080, "h2", Path.of("shop-data"), "auto", null, null);
    private static final List<String> FLAGS = List.of("--experiment", "--quick");
    private static final List<String> WITH_VALUE =
            List.of("--port", "--storage", "--data", "--threads", "--rounds", "--doc");
    private static final int ROUNDS_MAX = 20;

    /** @throws IllegalArgumentException saying which option is wrong and what it may be */
    static Options parse(String... arguments) {
        Options options = DEFAULT;
        for (int i = 0; i < arguments.length; i++) {
            String option = arguments[i];
            int equals = option.indexOf('=');
            if (FLAGS.contains(option)) {
                options = options.with(option, "");
            } else if (option.startsWith("--") && equals > 0) {
                options = options.with(option.substring(0, equals), option.substring(equals + 1));
            } else if (!WITH_VALUE.contains(option)) {
                throw new IllegalArgumentException("There is no option '" + option + "'.");
            } else if (i + 1 == arguments.length) {
                throw new IllegalArgumentException(option + " needs a value.");
            } else {
                options = options.with(option, arguments[++i]);
            }
        }
        List<String> given = List.of(arguments);
        if (options.experiment != null && !given.contains("--experiment")) {
            throw new IllegalArgumentException("--quick, --rounds and --doc belong to --experiment.");
        }
        return options;
    }

    private Options with(String option, String value) {
        Amount amount = experiment == null ? Amount.FULL : experiment;
        return switch (option) {
            case "--port" -> new Options(number(option, value, 1, 65_535), storage, data, threads, doc, experiment);
            case "--storage" -> new Options(port, storage(value), data, threads, doc, experiment);
            case "--data" -> new Options(port, storage, Path.of(value), threads, doc, experiment);
            case "--threads" -> new Options(port, storage, data, threads(value), doc, experiment);
            case "--experiment" -> new Options(port, storage, data, threads, doc, amount);
            case "--quick" -> new Options(port, storage, data, threads, doc, amount.quick());
            case "--rounds" ->
                new Options(port, storage, data, threads, doc, amount.withRounds(number(option, value, 1, ROUNDS_MAX)));
            case "--doc" -> new Options(port, storage, data, threads, Path.of(value), amount);
            default -> throw new IllegalArgumentException("There is no option '" + option + "'.");
        };
    }

    private static int number(String option, String value, int min, int max) {
        if (!value.matches("\\d{1,9}") || Integer.parseInt(value) < min || Integer.parseInt(value) > max) {
            throw new IllegalArgumentException(
                    option + " takes a number from " + min + " to " + max + ", not '" + value + "'.");
        }
        return Integer.parseInt(value);
    }

    private static String storage(String value) {
        if (!value.equals("h2") && !value.startsWith("jdbc:postgresql:") && !value.startsWith("jdbc:h2:")) {
            throw new IllegalArgumentException(
                    "--storage takes h2 or a URL such as jdbc:postgresql://localhost/shop?user=shop, not '" + value
                            + "'.");
        }
        return value;
    }

    private static String threads(String value) {
        if (!value.equals("virtual") && !value.equals("platform")) {
            throw new IllegalArgumentException("--threads takes virtual or platform, not '" + value + "'.");
        }
        return value;
    }

    /** The same for Spring Boot. */
    List<String> forSpring() {
        String url = storage.equals("h2")
                ? "jdbc:h2:file:" + data.toAbsolutePath().resolve("shop") + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE"
                : storage;
        return List.of(
                "--server.port=" + port,
                "--spring.datasource.url=" + url,
                "--spring.threads.virtual.enabled=" + !threads.equals("platform"));
    }
}
