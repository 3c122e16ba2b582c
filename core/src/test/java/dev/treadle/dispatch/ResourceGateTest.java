package dev.treadle.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.admission.Resources;
import dev.treadle.job.JobTraits;
import dev.treadle.job.Lane;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResourceGateTest {
    private static final Map<String, Integer> DB = Map.of("db", 1);

    private final ResourceGate turnstile = new ResourceGate(new Resources(Map.of("db", 1), 64), () -> {});

    @Test
    void two_lanes_that_were_admitted_by_one_place_take_one_permit() {
        Lane mail = lane("mail");
        Lane reports = lane("reports");

        assertTrue(turnstile.admits(mail) && turnstile.admits(reports));
        assertEquals(1, turnstile.take(mail, 5));
        assertEquals(0, turnstile.take(reports, 5), "one permit was there");

        turnstile.giveBack(mail, 1);
        assertTrue(turnstile.admits(reports));
        assertEquals(1, turnstile.take(reports, 5));
    }

    private static Lane lane(String queue) {
        return JobTraits.DEFAULT.withQueue(queue).withUses(DB).lane();
    }
}
