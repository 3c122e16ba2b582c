package dev.treadle.example.shop;

import dev.treadle.schedule.Recurring;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Packs what was ordered, and counts what is left. */
@Component
class Warehouse {
    private static final Logger LOG = LoggerFactory.getLogger(Warehouse.class);

    private final JdbcClient database;
    private final AtomicInteger inventories = new AtomicInteger();

    Warehouse(JdbcClient database) {
        this.database = database;
    }

    /** Called by a job that was made from a lambda. */
    public void pack(String order, int pieces) {
        LOG.debug("Packing {} pieces for {}", pieces, order);
        database.sql("update shop_order set packed = packed + 1 where id = ?")
                .param(order)
                .update();
    }

    /** Called every few seconds, by one of all processes. */
    @Recurring(id = "inventory", every = "${shop.inventory-every:10s}")
    public void takeInventory() {
        int open = database.sql("select count(*) from shop_order where packed = 0")
                .query(Integer.class)
                .single();
        LOG.info("Inventory {}: {} orders to pack", inventories.incrementAndGet(), open);
    }

    /** How often this process took inventory. */
    int inventories() {
        return inventories.get();
    }
}
