package dev.treadle.example.quarkus;

import dev.treadle.job.JobContext;
import dev.treadle.job.JobRequestHandler;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/** Sends receipts. Nothing injects it. */
@ApplicationScoped
class Receipts implements JobRequestHandler<SendReceipt> {
    @Inject
    Shop shop;

    @Inject
    Sender sender;

    @Override
    public void run(SendReceipt receipt, JobContext job) {
        shop.add(sender.sent(), receipt.order());
    }
}
