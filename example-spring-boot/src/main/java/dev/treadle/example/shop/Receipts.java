package dev.treadle.example.shop;

import dev.treadle.job.JobContext;
import dev.treadle.job.JobRequestHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Sends receipts; the mail server takes its time. */
@Component
class Receipts implements JobRequestHandler<SendReceipt> {
    private final JdbcClient database;
    private final Duration mailTakes;

    Receipts(JdbcClient database, @Value("${shop.mail-takes}") Duration mailTakes) {
        this.database = database;
        this.mailTakes = mailTakes;
    }

    @Override
    public void run(SendReceipt receipt, JobContext job) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(mailTakes.toNanos());
        database.sql("update shop_order set receipts = receipts + 1 where id = ?")
                .param(receipt.order())
                .update();
    }
}
