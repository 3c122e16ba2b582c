package dev.treadle.example.shop.experiment;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Measures the shop on each setup, in processes of their own, one after the other. */
public final class Experiment {
    private static final String HEAP = "512m";
    private static final int WARM_REQUESTS = 500;

    private final Amount amount;
    private final Class<?> main;
    private final String command;
    private final PrintStream out;

    /**
     * @param main    the application
     * @param command the options that were given, for the page
     */
    public Experiment(Amount amount, Class<?> main, String command, PrintStream out) {
        this.amount = amount;
        this.main = main;
        this.command = command;
        this.out = out;
    }

    /**
     * Measures, prints the tables, and writes the page.
     *
     * @param doc the page; null for none
     */
    public void run(@Nullable Path doc) throws IOException, InterruptedException {
        double before = Machine.loadAverage();
        Map<String, Results> results = new LinkedHashMap<>();
        for (int round = 1; round <= amount.rounds(); round++) {
            for (Setup setup : Setup.all()) {
                out.println("Round " + round + " of " + amount.rounds() + ": " + setup.name() + " …");
                results.computeIfAbsent(setup.name(), name -> new Results()).add(measured(setup));
            }
        }
        Report report = new Report(amount, results);
        out.print(report.tables());
        if (doc != null) {
            Files.writeString(
                    doc, report.page(Machine.here(HEAP, before), LocalDate.now().toString(), command));
            out.println("Written: " + doc);
        }
    }

    /** In a process of its own, with a new database. */
    Results.Round measured(Setup setup) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("treadle-shop");
        try (ShopProcess shop = ShopProcess.start(main, setup, HEAP, folder)) {
            LoadClient client = new LoadClient(shop.port());
            warmUp(client);
            int middle = amount.waitMillis() + amount.waitMillis() / 2;
            watch(client, middle);
            LoadClient.Speed speed =
                    client.load("/experiment/wait?millis=" + amount.waitMillis(), amount.requests(), amount.clients());
            Measured requests = new Measured(speed.perSecond(), speed.p99Millis(), figures(client));
            Measured tasks = work(client, "tasks", amount.tasks());
            Measured jobs = work(client, "jobs", amount.jobs());
            return new Results.Round(requests, tasks, jobs);
        } finally {
            delete(folder);
        }
    }

    private void warmUp(LoadClient client) throws IOException, InterruptedException {
        client.load("/experiment/wait?millis=1", WARM_REQUESTS, WARM_REQUESTS / 10);
        client.post("/experiment/tasks?number=" + WARM_REQUESTS + "&millis=1");
        client.post("/experiment/jobs?number=" + WARM_REQUESTS + "&millis=1");
    }

    private Measured work(LoadClient client, String what, int number) throws IOException, InterruptedException {
        watch(client, amount.workMillis() / 2);
        long millis = Long.parseLong(
                client.post("/experiment/" + what + "?number=" + number + "&millis=" + amount.workMillis()));
        return new Measured(number * 1000.0 / millis, -1, figures(client));
    }

    private static void watch(LoadClient client, int afterMillis) throws IOException, InterruptedException {
        client.post("/experiment/watch?afterMillis=" + afterMillis);
    }

    private static Figures figures(LoadClient client) throws IOException, InterruptedException {
        String[] told = client.get("/experiment/watch").split(" ");
        return new Figures(Integer.parseInt(told[0]), Long.parseLong(told[1]), Long.parseLong(told[2]));
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
