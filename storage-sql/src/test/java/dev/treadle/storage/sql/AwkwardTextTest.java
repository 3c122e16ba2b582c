package dev.treadle.storage.sql;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.Treadle;
import dev.treadle.job.Failure;
import dev.treadle.job.GiveUpException;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.StateName;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Text that PostgreSQL cannot store as it is. Arguments arrive to the letter, because JSON escapes what is in the way;
 * error messages are for people, and have a replacement in its place.
 */
@ParameterizedClass
@EnumSource(Dialect.class)
class AwkwardTextTest {
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final HikariDataSource database;
    private final Treadle treadle;

    record Say(String text) implements JobRequest<Void> {}

    record Fail(String text) implements JobRequest<Void> {}

    AwkwardTextTest(Dialect dialect) {
        database = EmptyDatabases.of(dialect);
        treadle = Treadle.on(SqlStorageProvider.using(database))
                .handler(Say.class, (say, context) -> {
                    seen.add(say.text());
                })
                .handler(Fail.class, (fail, context) -> {
                    throw new GiveUpException(fail.text() + "\0" + "\uD83D");
                })
                .start();
    }

    @AfterEach
    void close() {
        treadle.close();
        database.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\0b", "half \uD83D", "\uDE00 half", "😀 ä € \u2028 \\ \" \u0001"})
    void arguments_arrive_as_they_were_given(String text) {
        JobId id = treadle.jobs().enqueue(new Say(text));
        untilIn(StateName.SUCCEEDED, id);

        assertEquals(List.of(text), seen);
    }

    @ParameterizedTest
    @ValueSource(strings = {"it broke", "it broke 😀"})
    void an_error_message_is_kept_with_replacements(String text) {
        JobId id = treadle.jobs().enqueue(new Fail(text));
        untilIn(StateName.FAILED, id);

        Failure why = treadle.jobs().find(id).orElseThrow().history().get(0).why();
        assertNotNull(why);
        assertEquals(text + "\uFFFD\uFFFD", why.message());
        assertTrue(why.trace().contains(text + "\uFFFD\uFFFD"), why.trace());
    }

    private void untilIn(StateName state, JobId id) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> treadle.jobs().states(List.of(id)).get(id) == state);
    }
}
