package dev.treadle.storage.sql.session;

import static dev.treadle.storage.sql.session.SqlFailure.AT_FAULT;
import static dev.treadle.storage.sql.session.SqlFailure.CONNECTION_LOST;
import static dev.treadle.storage.sql.session.SqlFailure.CONNECTION_USELESS;
import static dev.treadle.storage.sql.session.SqlFailure.OTHER;
import static dev.treadle.storage.sql.session.SqlFailure.ROLLED_BACK;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlFailureTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # state | H2's code | what it means   | when
            40001   | 0         | ROLLED_BACK     | serialisation failure
            40P01   | 0         | ROLLED_BACK     | deadlock
            40001   | 40001     | ROLLED_BACK     | deadlock in H2
            23505   | 0         | ROLLED_BACK     | somebody inserted the same key
            23505   | 23505     | ROLLED_BACK     | somebody inserted the same key in H2
            90131   | 90131     | ROLLED_BACK     | concurrent update in H2
            HYT00   | 50200     | ROLLED_BACK     | lock timeout in H2
            08006   | 0         | CONNECTION_LOST | connection failure
            08001   | 0         | CONNECTION_LOST | refused
            57P01   | 0         | CONNECTION_LOST | terminated by an administrator
            90067   | 90067     | CONNECTION_LOST | connection broken in H2
            90020   | 90020     | CONNECTION_LOST | H2's file is in use
            22021   | 0         | AT_FAULT        | a character that cannot be stored
            22001   | 22001     | AT_FAULT        | too long
            54000   | 0         | AT_FAULT        | a limit of the program
            57P03   | 0         | OTHER           | starting up
            53100   | 0         | OTHER           | disk full
            53300   | 0         | OTHER           | too many connections
            42P01   | 0         | OTHER           | table missing while the schema is changed
            23503   | 0         | OTHER           | any other constraint
            25006   | 0         | CONNECTION_USELESS | read-only
            90098   | 90098     | CONNECTION_USELESS | database closed in H2
            90121   | 90121     | CONNECTION_USELESS | database shut down in H2
            25P03   | 0         | CONNECTION_LOST | idle in a transaction for too long
            57P05   | 0         | CONNECTION_LOST | idle for too long
            57P02   | 0         | CONNECTION_LOST | the server crashed
            55P03   | 0         | OTHER           | a lock was not had in time
            57014   | 0         | OTHER           | a statement took too long
            ''      | 0         | OTHER           | nothing is said
            """)
    void what_the_database_says_means(String state, int code, SqlFailure meaning, String when) {
        assertEquals(meaning, SqlFailure.of(new SQLException("on purpose", state, code)), when);
    }

    @Test
    void no_state_at_all_is_something_else() {
        assertEquals(OTHER, SqlFailure.of(new SQLException("on purpose")));
    }

    @Test
    void a_pool_that_has_nothing_to_lend_is_not_asked_again_at_once() {
        assertEquals(OTHER, SqlFailure.of(new SQLTransientConnectionException("pool is empty", "08001")));
    }

    @Test
    void only_what_is_at_fault_itself_is_not_worth_repeating() {
        assertEquals(
                List.of(ROLLED_BACK, CONNECTION_LOST, CONNECTION_USELESS, OTHER),
                Arrays.stream(SqlFailure.values())
                        .filter(SqlFailure::isWorthRepeating)
                        .toList());
        assertEquals(
                List.of(ROLLED_BACK, CONNECTION_LOST, CONNECTION_USELESS, AT_FAULT, OTHER),
                List.of(SqlFailure.values()));
    }
}
