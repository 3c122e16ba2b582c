package dev.treadle.example.shop;

import dev.treadle.api.JobScheduler;
import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Orders and their jobs: both are committed, or neither. */
@Service
class Orders {
    private final JdbcClient database;
    private final JobScheduler jobs;
    private final Warehouse warehouse;

    Orders(JdbcClient database, JobScheduler jobs, Warehouse warehouse) {
        this.database = database;
        this.jobs = jobs;
        this.warehouse = warehouse;
    }

    /**
     * An order as people see it.
     *
     * @param receipts   how often its receipt was sent: once, or more often after a crash
     * @param packed     how often it was packed
     * @param receiptJob the state of the job that sends the receipt
     */
    record Order(String id, String item, int pieces, int receipts, int packed, StateName receiptJob) {}

    /** How much there is and how much is left to do. */
    record Totals(int orders, int unfinished) {}

    /** @return the order's id */
    @Transactional
    public String place(String item, int pieces) {
        String id = UUID.randomUUID().toString();
        JobId receipt = jobs.enqueue(new SendReceipt(id));
        database.sql(
                        "insert into shop_order (id, item, pieces, receipt_job, receipts, packed) values (?, ?, ?, ?, 0, 0)")
                .params(id, item, pieces, receipt.toString())
                .update();
        jobs.enqueue(() -> warehouse.pack(id, pieces));
        return id;
    }

    Optional<Order> find(String id) {
        return database.sql("select item, pieces, receipt_job, receipts, packed from shop_order where id = ?")
                .param(id)
                .query((row, number) -> new Order(
                        id,
                        row.getString("item"),
                        row.getInt("pieces"),
                        row.getInt("receipts"),
                        row.getInt("packed"),
                        state(JobId.parse(row.getString("receipt_job")))))
                .optional();
    }

    private StateName state(JobId job) {
        StateName state = jobs.states(List.of(job)).get(job);
        if (state == null) {
            throw new IllegalStateException("There is an order without its job " + job + ".");
        }
        return state;
    }

    Totals totals() {
        return new Totals(
                count("select count(*) from shop_order"),
                count("select count(*) from shop_order where receipts = 0 or packed = 0"));
    }

    private int count(String question) {
        return database.sql(question).query(Integer.class).single();
    }
}
