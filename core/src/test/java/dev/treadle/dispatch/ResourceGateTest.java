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

    private final ResourceGate gate = new ResourceGate(new Resources(Map.of("db", 1), 64), () -> {});

    @Test
    void two_lanes_that_were_admitted_by_one_request_take_one_permit() {
        Lane mail = lane("mail");
        Lane reports = lane("reports");

        assertTrue(gate.admits(mail) && gate.admits(reports));
        assertEquals(1, gate.take(mail, 5));
        assertEquals(0, gate.take(reports, 5), "one permit was there");

        gate.giveBack(mail, 1);
        assertTrue(gate.admits(reports));
        assertEquals(1, gate.take(reports, 5));
    }

    private static Lane lane(String queue) {
        return JobTraits.DEFAULT.withQueue(queue).withUses(DB).lane();
    }
}
