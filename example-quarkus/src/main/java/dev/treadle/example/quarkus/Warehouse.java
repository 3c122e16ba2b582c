package dev.treadle.example.quarkus;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;

/** Packs what was ordered. */
@ApplicationScoped
class Warehouse {
    @Inject
    Shop shop;

    /** Called by a job that was made from a lambda. */
    @Transactional
    public void pack(String order, int pieces) {
        for (int i = 0; i < pieces; i++) {
            shop.add("packed", order);
        }
    }
}
