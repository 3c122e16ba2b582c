package dev.treadle.example.quarkus;

import dev.treadle.job.ResultHandler;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;

/** Counts pieces. Nothing injects what it produces. */
@Dependent
class Counting {
    @Produces
    ResultHandler<CountPieces, Integer> pieces(Shop shop) {
        return (count, job) -> shop.count("packed", count.order());
    }
}
