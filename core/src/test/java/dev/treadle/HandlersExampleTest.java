package dev.treadle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobRequestHandler;
import dev.treadle.job.ResultHandler;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every way to write a handler compiles without a cast, a {@code return null} or a typed parameter, and runs. */
class HandlersExampleTest {
    private static final Queue<String> DONE = new ConcurrentLinkedQueue<>();

    record Expression(String name) implements JobRequest<Void> {}

    record Chained(String name) implements JobRequest<Void> {}

    record Block(String name) implements JobRequest<Void> {}

    record Reference(String name) implements JobRequest<Void> {}

    record Returning(String name) implements JobRequest<Void> {}

    record ByClass(String name) implements JobRequest<Void> {}

    record Add(int a, int b) implements JobRequest<Integer> {}

    record AddInBlock(int a, int b) implements JobRequest<Integer> {}

    record AddByReference(int a, int b) implements JobRequest<Integer> {}

    record AddByClass(int a, int b) implements JobRequest<Integer> {}

    static final class ByClassHandler implements JobRequestHandler<ByClass> {
        @Override
        public void run(ByClass request, JobContext context) {
            DONE.add(request.name());
        }
    }

    static final class AddByClassHandler implements ResultHandler<AddByClass, Integer> {
        @Override
        public Integer run(AddByClass request, JobContext context) {
            return request.a() + request.b();
        }
    }

    private final Treadle treadle = Treadle.on(new InMemoryStorageProvider())
            .settings(Work.QUICK)
            .handler(Expression.class, (request, job) -> System.identityHashCode(request))
            .handler(Chained.class, (request, job) -> DONE.add(request.name()))
            .handler(Block.class, (request, job) -> {
                DONE.add(request.name());
            })
            .handler(Reference.class, HandlersExampleTest::done)
            .handler(Returning.class, this::doneAndCounted)
            .handler(ByClass.class, ByClassHandler.class)
            .resultHandler(Add.class, (add, job) -> add.a() + add.b())
            .resultHandler(AddInBlock.class, (add, job) -> {
                return add.a() + add.b();
            })
            .resultHandler(AddByReference.class, this::add)
            .resultHandler(AddByClass.class, AddByClassHandler.class)
            .start();

    private static void done(Reference request, JobContext job) {
        DONE.add(request.name());
    }

    private int doneAndCounted(Returning request, JobContext job) {
        DONE.add(request.name());
        return DONE.size();
    }

    private Integer add(AddByReference add, JobContext job) {
        return add.a() + add.b();
    }

    @AfterEach
    void close() {
        treadle.close();
        DONE.clear();
    }

    @Test
    void a_handler_that_returns_nothing_has_no_result_whatever_its_lambda_evaluates_to() throws Exception {
        for (JobRequest<Void> request : List.of(
                new Expression("unseen"),
                new Chained("chained"),
                new Block("block"),
                new Reference("reference"),
                new Returning("returning"),
                new ByClass("class"))) {
            JobId id = treadle.jobs().enqueue(request);
            assertEquals(Optional.empty(), treadle.jobs().await(id, Object.class, Duration.ofSeconds(20)));
        }
        List<String> expected = List.of("chained", "block", "reference", "returning", "class");
        assertEquals(expected, List.copyOf(DONE));
    }

    @Test
    void a_result_handler_may_be_an_expression_a_block_a_reference_or_a_class() throws Exception {
        for (JobRequest<Integer> request :
                List.of(new Add(2, 3), new AddInBlock(2, 3), new AddByReference(2, 3), new AddByClass(2, 3))) {
            JobId id = treadle.jobs().enqueue(request);
            assertEquals(Optional.of(5), treadle.jobs().await(id, Integer.class, Duration.ofSeconds(20)));
        }
    }
}
