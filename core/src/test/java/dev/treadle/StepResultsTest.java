package dev.treadle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.HistoryEntry;
import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import dev.treadle.job.StepNotKeptException;
import dev.treadle.job.StepType;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What steps return comes back the same, or is refused at once. */
class StepResultsTest extends StepFixture {
    @Test
    void each_kind_of_result_comes_back_as_what_it_was() {
        Map<String, Object> seen = new java.util.concurrent.ConcurrentHashMap<>();
        Receipt receipt = new Receipt("r", BigDecimal.ONE, "x");

        succeeds((order, job) -> {
            String text = job.step("text", () -> did("text", "ü\u0000\ud83d\ude80"));
            int number = job.step("number", () -> did("number", 42));
            long wide = job.step("long", () -> did("long", 42L));
            boolean truth = job.step("truth", () -> did("truth", true));
            List<String> words = job.step("words", () -> did("words", List.of("a", "b")));
            List<Receipt> typed =
                    job.step("typed", new StepType<List<Receipt>>() {}, () -> did("typed", List.of(receipt)));
            List<Receipt> referred = job.step("referred", this::receipts);
            Map<String, List<Receipt>> map = job.step(
                    "map", new StepType<Map<String, List<Receipt>>>() {}, () -> did("map", Map.of("k", typed)));
            Receipt anonymous = job.step("anonymous", new dev.treadle.job.StepCall<Receipt>() {
                private static final long serialVersionUID = 1L;

                @Override
                public Receipt call() {
                    return did("anonymous", receipt);
                }
            });
            Object nothing = job.step("nothing", () -> did("nothing", null));
            seen.put(
                    "attempt " + job.attempt(),
                    List.of(text, number, wide, truth, words, typed, referred, map, anonymous, nothing == null));
            failIn(job, 1);
        });

        assertEquals(seen.get("attempt 1"), seen.get("attempt 2"));
        assertEquals(10, done.size(), done::toString);
    }

    private List<Receipt> receipts() {
        return did("referred", List.of(new Receipt("a", BigDecimal.TEN, "y")));
    }

    @Test
    void what_would_not_come_back_the_same_fails_the_job_for_good_at_the_first_run() {
        Receipt receipt = new Receipt("r", BigDecimal.ONE, "x");
        JobId id = run((order, job) -> job.step("pages", () -> did("pages", List.of(receipt))));
        Work.untilIn(StateName.FAILED, storage, id);

        assertEquals(List.of("pages"), done, "no further attempt, which would do it again");
        HistoryEntry failed = Work.story(storage, id).history().get(0);
        assertEquals(StepNotKeptException.class.getName(), failed.why().type());
        assertTrue(failed.why().message().contains("new StepType<List<Page>>() {}"), failed.why()::message);
        assertEquals(List.of(), recorded(id));
    }

    @Test
    void a_result_that_is_too_large_fails_the_job_for_good() {
        JobId id = run((order, job) -> job.step("big", () -> "x".repeat(70_000)));
        Work.untilIn(StateName.FAILED, storage, id);

        assertTrue(Work.story(storage, id).history().get(0).why().message().contains("65536 bytes"));
    }

    @Test
    void a_result_that_fits_the_code_no_more_parks_the_job_and_other_code_brings_it_back() {
        JobId id = run((order, job) -> {
            job.step("pay", () -> did("pay", "just text"));
            job.step("wait", () -> {
                throw new dev.treadle.job.SnoozeException(java.time.Duration.ofMillis(1));
            });
        });
        Await.until("it is recorded", () -> !recorded(id).isEmpty());
        start((order, job) -> {
            try {
                job.step("pay", () -> did("pay", new OtherReceipt(new Receipt("", BigDecimal.ONE, ""), List.of())));
            } catch (RuntimeException e) {
                throw new IllegalStateException("wrapped by the job", e);
            }
        });
        Work.untilIn(StateName.PARKED, storage, id);

        List<HistoryEntry> history = Work.story(storage, id).history();
        String why = history.get(history.size() - 1).why().message();
        assertTrue(why.contains("the step 'pay'") && why.contains("OtherReceipt"), why);
        start((order, job) -> job.step("pay", () -> did("pay", "never")));
        Work.untilIn(StateName.SUCCEEDED, storage, id);
        assertEquals(List.of("pay"), done);
    }

    @Test
    void a_type_that_names_nothing_is_refused_where_it_is_made() {
        assertEquals(
                "java.util.List<java.lang.String>",
                new StepType<List<String>>() {}.type().getTypeName());
        assertTrue(assertThrows(IllegalArgumentException.class, this::<String>open)
                .getMessage()
                .contains("type variable"));
    }

    private <T> StepType<List<T>> open() {
        return new StepType<>() {};
    }
}
