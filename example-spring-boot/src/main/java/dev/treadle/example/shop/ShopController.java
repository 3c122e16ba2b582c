package dev.treadle.example.shop;

import dev.treadle.api.JobScheduler;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** What the shop answers. */
@RestController
class ShopController {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int PIECES_MAX = 1_000;
    private static final int ITEM_LENGTH_MAX = 100;

    private final Orders orders;
    private final Warehouse warehouse;
    private final Visits visits;
    private final JobScheduler jobs;
    private final String name;

    ShopController(
            Orders orders,
            Warehouse warehouse,
            Visits visits,
            JobScheduler jobs,
            @Value("${spring.application.name}") String name) {
        this.orders = orders;
        this.warehouse = warehouse;
        this.visits = visits;
        this.jobs = jobs;
        this.name = name;
    }

    record Placed(String id) {}

    record Shop(String name, int orders, int unfinished, int inventories) {}

    /** The threads of a request, of a task and of a job. */
    record Threads(String request, String task, String job, boolean jobFindsOurClasses) {}

    @PostMapping("/orders")
    @ResponseStatus(HttpStatus.CREATED)
    Placed order(@RequestParam String item, @RequestParam(defaultValue = "1") int pieces) {
        if (item.isBlank() || item.length() > ITEM_LENGTH_MAX || pieces < 1 || pieces > PIECES_MAX) {
            throw new ResponseStatusException(
                    HttpStatus.BAD_REQUEST,
                    "An order needs an item of 1 to " + ITEM_LENGTH_MAX + " characters, and 1 to " + PIECES_MAX
                            + " pieces.");
        }
        return new Placed(orders.place(item, pieces));
    }

    @GetMapping("/orders/{id}")
    Orders.Order order(@PathVariable String id) {
        return orders.find(id).orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
    }

    @GetMapping("/")
    Shop shop() {
        Orders.Totals totals = orders.totals();
        return new Shop(name, totals.orders(), totals.unfinished(), warehouse.inventories());
    }

    @GetMapping("/where-am-i")
    Threads threads() throws InterruptedException, ExecutionException, TimeoutException {
        NameThread.Named job = jobs.await(jobs.enqueue(new NameThread()), NameThread.Named.class, PATIENCE)
                .orElseThrow();
        return new Threads(
                Thread.currentThread().toString(), visits.count().get().thread(), job.thread(), job.findsOurClasses());
    }
}
