package dev.treadle.example.quarkus;

import dev.treadle.schedule.Recurring;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/** Takes inventory every now and then, in one of all processes. Nothing injects it. */
@ApplicationScoped
class Inventory {
    @Inject
    Shop shop;

    @Recurring(id = "inventory", every = "${shop.inventory-every:10s}")
    void take() {
        shop.add("inventory", "all");
    }
}
