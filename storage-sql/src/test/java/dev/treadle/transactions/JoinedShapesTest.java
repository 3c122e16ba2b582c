package dev.treadle.transactions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.JobOptions;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.EnqueueResult.Answer;
import dev.treadle.job.JobId;
import dev.treadle.job.KeyRule;
import dev.treadle.job.Unique;
import dev.treadle.job.Unique.OnConflict;
import dev.treadle.schedule.RecurringRules;
import dev.treadle.schedule.Schedule;
import dev.treadle.storage.sql.KeyCounts;
import dev.treadle.storage.sql.OnePlace;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Everything a scheduler does, in a transaction of the application: no row of any table is seen before the commit, none is
 * left after a rollback, and after a commit all are there.
 */
@ParameterizedClass
@EnumSource(JoinedDatabase.class)
@Timeout(300)
class JoinedShapesTest extends JoinedFixture {
    /** More than one call of the storage takes. */
    private static final int MANY = 1_200;
    /** More than PostgreSQL's COPY is worth for. */
    private static final int SOME = 150;

    private static final Schedule DAILY = Schedule.every(Duration.ofDays(1));

    private int orders;

    /** Called by jobs. */
    static final class Post {
        void send(String to) {}

        void stamp() {}
    }

    static void send(String to) {}

    static void one(String to) {}

    static void send(String to, int copies) {}

    static void send(String to, int copies, boolean quick) {}

    JoinedShapesTest(JoinedDatabase kind) {
        super(kind);
    }

    /**
     * One way to use a scheduler.
     *
     * @param before done and committed before
     * @param act    done in the transaction, with what came before
     */
    private record Shape<T>(String name, Function<JobScheduler, T> before, Act<T> act) {}

    private interface Act<T> {
        void in(JobScheduler joined, T before);
    }

    private static Shape<?> shape(String name, Consumer<JobScheduler> act) {
        return new Shape<>(name, jobs -> "", (joined, nothing) -> act.accept(joined));
    }

    private static Shape<?> ofOne(String name, Function<JobScheduler, JobId> enqueue) {
        return shape(name, joined -> {
            JobId id = enqueue.apply(joined);
            assertTrue(joined.find(id).isPresent(), "its own transaction sees it");
            assertEquals(1, joined.states(List.of(id)).size());
        });
    }

    @TestFactory
    Stream<DynamicTest> every_shape_is_there_after_the_commit_alone() {
        List<Shape<?>> all = new ArrayList<>(enqueues());
        all.addAll(uniqueAndKeyed());
        all.addAll(acts());
        all.addAll(recurring());
        return all.stream().map(shape -> DynamicTest.dynamicTest(shape.name, () -> check(shape)));
    }

    private List<Shape<?>> enqueues() {
        return List.of(
                ofOne("a request", joined -> joined.enqueue(new Mail("a"))),
                ofOne("a lambda", joined -> joined.enqueue(() -> send("a"))),
                ofOne("a call of a service", joined -> joined.<Post>enqueue(post -> post.send("a"))),
                ofOne("a method reference", joined -> joined.enqueue(JoinedShapesTest::send, "a")),
                ofOne("one with two arguments", joined -> joined.enqueue(JoinedShapesTest::send, "a", 2)),
                ofOne("one with three arguments", joined -> joined.enqueue(JoinedShapesTest::send, "a", 3, true)),
                ofOne(
                        "scheduled at an instant",
                        joined -> joined.schedule(Instant.now().plus(Duration.ofDays(1)), new Mail("b"))),
                ofOne("scheduled in the past", joined -> joined.schedule(Instant.EPOCH, new Mail("b"))),
                ofOne("scheduled after a delay", joined -> joined.schedule(Duration.ofDays(1), () -> send("b"))),
                ofOne("labelled", joined -> {
                    JobId id =
                            joined.with(JobOptions.DEFAULT.withLabels("x", "y")).enqueue(new Mail("c"));
                    assertEquals(List.of(id), joined.labelled("y"));
                    return id;
                }),
                ofOne(
                        "in a queue that is new",
                        joined ->
                                joined.with(JobOptions.DEFAULT.withQueue("new")).enqueue(new Mail("c"))),
                ofOne("answered", joined -> joined.tryEnqueue(new Mail("d")).id()),
                shape(
                        "a stream of many requests",
                        joined -> joined.enqueueAll(IntStream.range(0, MANY).mapToObj(i -> new Mail("e" + i)))),
                shape(
                        "a stream of some calls",
                        joined -> joined.enqueueAll(
                                IntStream.range(0, SOME).mapToObj(i -> "f" + i), JoinedShapesTest::one)));
    }

    private List<Shape<?>> uniqueAndKeyed() {
        List<Shape<?>> all = new ArrayList<>();
        for (OnConflict onConflict : OnConflict.values()) {
            JobOptions once =
                    JobOptions.DEFAULT.withUnique(Unique.by("u " + onConflict).onConflict(onConflict));
            all.add(ofOne(
                    "unique, " + onConflict,
                    joined -> joined.with(once).tryEnqueue(new Mail("u")).id()));
        }
        JobOptions replace = JobOptions.DEFAULT.withUnique(Unique.by("r").onConflict(OnConflict.REPLACE));
        all.add(new Shape<>(
                "replacing one that is there",
                jobs -> jobs.with(replace).enqueue(new Mail("first")),
                (joined, first) -> {
                    var answer = joined.with(replace).tryEnqueue(new Mail("last"));
                    assertEquals(Answer.REPLACED, answer.answer());
                    assertEquals(first, answer.id());
                }));
        for (KeyRule rule :
                List.of(KeyRule.mailbox("m"), KeyRule.limit("l", 1), KeyRule.rate("r", 1, Duration.ofHours(1)))) {
            JobOptions keyed = JobOptions.DEFAULT.withKey(rule);
            all.add(shape("with the key " + rule.line(), joined -> {
                joined.with(keyed).enqueue(new Mail("k1"));
                joined.with(keyed).enqueue(new Mail("k2"));
                joined.with(keyed).schedule(Duration.ofDays(1), new Mail("k3"));
            }));
        }
        return all;
    }

    private List<Shape<?>> acts() {
        return List.of(
                new Shape<>(
                        "cancelling",
                        jobs -> jobs.enqueue(new Mail("x")),
                        (joined, id) -> joined.cancel(id, "a test", "because")),
                new Shape<>(
                        "running again",
                        jobs -> {
                            JobId id = jobs.enqueue(new Mail("x"));
                            jobs.cancel(id, "a test", null);
                            return id;
                        },
                        (joined, id) -> joined.runAgain(id, "a test", null)),
                new Shape<>(
                        "cancelling one with a key",
                        jobs -> jobs.with(JobOptions.DEFAULT.withKey(KeyRule.mailbox("c")))
                                .enqueue(new Mail("x")),
                        (joined, id) -> joined.cancel(id, "a test", null)));
    }

    private List<Shape<?>> recurring() {
        return List.of(
                shape("declaring", joined -> {
                    joined.recurring("declared", DAILY, new Mail("r"));
                    assertTrue(joined.recurring().find("declared").isPresent());
                }),
                ofRecurring("pausing", (joined, id) -> joined.recurring().pause(id, "a test", null)),
                ofRecurring(
                        "rescheduling",
                        (joined, id) ->
                                joined.recurring().reschedule(id, Schedule.every(Duration.ofHours(1)), "a test", null)),
                ofRecurring("deleting", (joined, id) -> joined.recurring().delete(id, "a test", null)),
                ofRecurring(
                        "triggering",
                        (joined, id) ->
                                assertTrue(joined.recurring().trigger(id).isPresent())));
    }

    private static Shape<?> ofRecurring(String name, Act<String> act) {
        return new Shape<>(
                name + " a recurring job",
                jobs -> {
                    jobs.recurring().declare(name, DAILY, RecurringRules.DEFAULT, new Mail("r"));
                    return name;
                },
                act);
    }

    private <T> void check(Shape<T> shape) throws SQLException {
        T before = shape.before.apply(jobs);
        SortedMap<String, List<String>> rows = JoinedDatabase.rows(database);

        inTransaction(shape, before, rows, false);
        assertEquals(rows, JoinedDatabase.rows(database), "a rollback left something");

        inTransaction(shape, before, rows, true);
        assertNotEquals(rows, JoinedDatabase.rows(database), "nothing came of the commit");
        assertEquals(List.of(), OnePlace.violations(database));
        if (kind.isPostgres()) {
            assertEquals(List.of(), KeyCounts.violations(database));
        }
    }

    private <T> void inTransaction(Shape<T> shape, T before, SortedMap<String, List<String>> rows, boolean commit)
            throws SQLException {
        int order = ++orders;
        Connection connection = JoinedDatabase.begin(database);
        boolean done = false;
        try {
            JoinedDatabase.order(connection, order);
            shape.act.in(jobs.in(connection), before);
            assertEquals(rows, JoinedDatabase.rows(database), "seen before its end");
            done = true;
        } finally {
            JoinedDatabase.end(connection, commit && done);
        }
        assertEquals(
                commit ? 1 : 0, JoinedDatabase.number(database, "select count(*) from orders where id = " + order));
    }
}
