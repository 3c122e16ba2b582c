package dev.treadle.example.shop.experiment;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.example.shop.ShopApplication;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The experiment with very little to do. */
@Timeout(300)
class ExperimentTest {
    private static final int AT_ONCE = 10;
    private static final int MILLIS = 20;

    @Test
    void what_waits_is_measured_with_all_figures() throws Exception {
        Amount little = new Amount(1, 4 * AT_ONCE, AT_ONCE, MILLIS, AT_ONCE, AT_ONCE, MILLIS);

        Results.Round round = new Experiment(
                        little, ShopApplication.class, "", new PrintStream(OutputStream.nullOutputStream()))
                .measured(Setup.all().get(0));

        for (Measured measured : List.of(round.requests(), round.tasks(), round.jobs())) {
            double most = AT_ONCE * 1000.0 / MILLIS;
            assertTrue(measured.perSecond() > 0 && measured.perSecond() <= most, measured::toString);
            assertTrue(measured.figures().threads() > 1 && measured.figures().heapKb() > 1024, measured::toString);
        }
        assertTrue(round.requests().p99Millis() >= MILLIS, round::toString);
    }
}
