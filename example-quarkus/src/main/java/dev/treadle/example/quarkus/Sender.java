package dev.treadle.example.quarkus;

import jakarta.enterprise.context.RequestScoped;

/** Lives as long as one run. */
@RequestScoped
class Sender {
    private int receipts;

    String sent() {
        return "receipt " + ++receipts + " of this run";
    }
}
