package dev.treadle.capture;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.invoke.ConstructorActivator;
import dev.treadle.invoke.Handlers;
import dev.treadle.invoke.Invoker;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobRequest;
import dev.treadle.payload.JsonArguments;
import dev.treadle.payload.TargetRules;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** What capture and resolution cost, printed and not asserted: {@code mvn test -Dtest=CaptureCostTest -Dtreadle.cost=1}. */
@EnabledIfSystemProperty(named = "treadle.cost", matches = ".+")
class CaptureCostTest {
    private static final int ROUNDS = 7;
    private static final int CALLS = 300_000;

    private final JsonArguments json = new JsonArguments();
    private final Capture capture = new Capture(json, TargetRules.applicationTypes());
    private final Slips slips = new Slips();
    private long sum;

    public static class Slips {
        public void generate(long id) {}
    }

    record Generate(long employeeId, String month) implements JobRequest<Void> {}

    @Test
    void costs() throws Exception {
        Handlers handlers = Handlers.none().with(Generate.class, (request, context) -> null);
        Invoker invoker = new Invoker(
                TargetRules.applicationTypes(),
                handlers,
                new ConstructorActivator(),
                json,
                getClass().getClassLoader());
        Generate request = new Generate(42, "2026-01");
        Invocation ofRequest = capture.of(request);
        Invocation ofLambda = capture.of((Lambda.Plain) () -> slips.generate(42L), false);
        measure("capture () -> slips.generate(42L)", () -> capture.of((Lambda.Plain) () -> slips.generate(42L), false));
        measure("capture slips::generate with 42L", () -> capture.of((Lambda.From<Long>) slips::generate, false, 42L));
        measure("capture a record of two fields", () -> capture.of(request));
        measure("write and read that record", () -> json.readRequest(json.writeRequest(request), Generate.class));
        measure("resolve slips.generate(42L)", () -> invoker.resolve(ofLambda));
        measure("resolve that record's handler", () -> invoker.resolve(ofRequest));
        assertTrue(sum != 0);
    }

    private void measure(String what, Callable<Object> call) throws Exception {
        double best = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            for (int i = 0; i < CALLS; i++) {
                sum += System.identityHashCode(call.call()) & 1 | 2;
            }
            best = Math.min(best, (System.nanoTime() - start) / (double) CALLS);
        }
        System.out.printf("%-40s %6.0f ns%n", what, best);
    }
}
