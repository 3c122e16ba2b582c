package dev.treadle.benchmark;

import dev.treadle.api.JobCall;
import dev.treadle.capture.Capture;
import dev.treadle.capture.Supply;
import dev.treadle.dispatch.Permits;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobRequest;
import dev.treadle.payload.JsonArguments;
import dev.treadle.payload.TargetRules;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What every job passes in this process: capture, arguments to text and back, a permit, the recorder. */
@State(Scope.Benchmark)
public class HotPaths {
    static final int BATCH = 1_000;

    /** A request of three values, as the other benchmarks have. */
    public record Order(long id, String customer, int amount) implements JobRequest<Void> {}

    /** What lambdas call. */
    public static final class Orders {
        /** Never runs here. */
        public void place(long id, String customer) {
            throw new IllegalStateException(id + customer);
        }
    }

    private final JsonArguments arguments = new JsonArguments();
    private final Capture capture = new Capture(arguments, TargetRules.applicationTypes(), Supply.ACTIVATOR);
    private final Orders orders = new Orders();
    private final String text = arguments.writeRequest(new Order(42, "Ada", 7));
    private final Permits permits = new Permits(BATCH);
    private final RecorderCycle recorder = new RecorderCycle(BATCH);
    private long next;

    /** A request becomes data. */
    @Benchmark
    public Invocation captureRequest() {
        return capture.of(new Order(next++, "Ada", 7));
    }

    /** A lambda of one call becomes data. */
    @Benchmark
    public Invocation captureLambda() {
        long id = next++;
        return capture.of(lambda(id), false);
    }

    private JobCall lambda(long id) {
        return () -> orders.place(id, "Ada");
    }

    /** A request is written. */
    @Benchmark
    public String payloadWrite() {
        return arguments.writeRequest(new Order(next++, "Ada", 7));
    }

    /** A request is read. */
    @Benchmark
    public Order payloadRead() {
        return arguments.readRequest(text, Order.class);
    }

    /** A permit is taken and given back. */
    @Benchmark
    public boolean permit() {
        boolean taken = permits.tryTake();
        if (taken) {
            permits.giveBack();
        }
        return taken;
    }

    /** An ending is offered and written to a storage that does nothing, a thousand in a batch. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public List<?> recorder() {
        return recorder.run();
    }
}
