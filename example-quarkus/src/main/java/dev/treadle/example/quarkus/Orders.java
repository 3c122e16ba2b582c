package dev.treadle.example.quarkus;

import dev.treadle.api.JobScheduler;
import dev.treadle.job.JobId;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.List;

/** Orders: each is committed with its jobs, or not at all. */
@ApplicationScoped
class Orders {
    @Inject
    JobScheduler jobs;

    @Inject
    Shop shop;

    @Inject
    Warehouse warehouse;

    /**
     * Places an order, and enqueues what follows.
     *
     * @throws IllegalArgumentException if an order is empty, after its jobs were enqueued
     */
    @Transactional
    List<JobId> place(String order, int pieces) {
        shop.add("order", order);
        List<JobId> following =
                List.of(jobs.enqueue(new SendReceipt(order)), jobs.enqueue(() -> warehouse.pack(order, pieces)));
        if (pieces == 0) {
            throw new IllegalArgumentException("Nothing was ordered in " + order);
        }
        return following;
    }
}
