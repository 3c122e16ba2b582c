package dev.treadle.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** How a block borrows a connection, and how it gives it back. */
class TransactionBlockTest {
    private final List<String> calls = new ArrayList<>();
    private boolean autoCommit = true;
    /** What fails, by the name of the method. */
    private Set<String> failing = Set.of();

    @Test
    void what_was_committed_is_not_rolled_back_and_the_connection_is_lent_again() {
        TransactionBlock block = TransactionBlock.begin(source());
        try (block) {
            assertNull(block.commit());
        }
        assertEquals(List.of("setAutoCommit(false)", "commit", "setAutoCommit(true)", "close"), calls);
    }

    @Test
    void what_was_not_committed_is_rolled_back() {
        TransactionBlock block = TransactionBlock.begin(source());
        block.close();
        assertEquals(List.of("setAutoCommit(false)", "rollback", "setAutoCommit(true)", "close"), calls);
    }

    @Test
    void a_connection_that_cannot_be_rolled_back_is_ended_and_never_switched_to_autocommit() {
        failing = Set.of("rollback");
        TransactionBlock block = TransactionBlock.begin(source());
        block.close();
        assertEquals(List.of("setAutoCommit(false)", "rollback", "abort", "close"), calls);
    }

    @Test
    void one_whose_autocommit_cannot_be_switched_back_is_ended() {
        TransactionBlock block = TransactionBlock.begin(source());
        assertNull(block.commit());
        failing = Set.of("setAutoCommit");
        block.close();
        assertEquals(List.of("setAutoCommit(false)", "commit", "setAutoCommit(true)", "abort", "close"), calls);
    }

    @Test
    void a_failed_commit_is_an_answer() {
        failing = Set.of("commit");
        TransactionBlock block = TransactionBlock.begin(source());
        try (block) {
            assertEquals("commit", block.commit().getMessage());
        }
        assertEquals(List.of("setAutoCommit(false)", "commit", "rollback", "setAutoCommit(true)", "close"), calls);
    }

    @Test
    void a_connection_in_a_transaction_is_refused_and_given_back_as_it_was() {
        autoCommit = false;
        assertThrows(IllegalArgumentException.class, () -> TransactionBlock.begin(source()));
        assertEquals(List.of("close"), calls);
    }

    @Test
    void plain_calls_see_the_innermost_block_of_their_thread_and_none_afterwards() throws Exception {
        OpenBlocks blocks = new OpenBlocks();
        TransactionBlock outer = TransactionBlock.begin(source());
        TransactionBlock inner = TransactionBlock.begin(source());

        blocks.run(outer, connection -> {
            assertSame(outer, blocks.current());
            assertThrows(
                    SQLException.class,
                    () -> blocks.run(inner, other -> {
                        assertSame(inner, blocks.current());
                        throw new SQLException("out of it");
                    }));
            assertSame(outer, blocks.current());
            assertNull(onAnotherThread(blocks::current));
            return null;
        });

        assertNull(blocks.current());
    }

    @Test
    void the_code_in_a_block_cannot_end_its_transaction() throws Exception {
        TransactionBlock block = TransactionBlock.begin(source());
        Connection shown = block.connection();
        calls.clear();

        assertThrows(SQLException.class, shown::commit);
        assertThrows(SQLException.class, shown::rollback);
        assertThrows(SQLException.class, () -> shown.setAutoCommit(true));
        assertThrows(SQLException.class, () -> shown.abort(Runnable::run));
        shown.setAutoCommit(false);
        shown.close();
        shown.rollback(null);
        assertEquals(List.of("rollback"), calls, "a savepoint is the code's own");
        assertTrue(shown.equals(block.connection()));
        assertFalse(shown.equals(TransactionBlock.begin(source()).connection()));
    }

    private static <T> T onAnotherThread(Callable<T> call) {
        List<T> answer = new ArrayList<>();
        Thread thread = new Thread(() -> {
            try {
                answer.add(call.call());
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return answer.get(0);
    }

    private DataSource source() {
        Connection connection = (Connection) Proxy.newProxyInstance(
                TransactionBlockTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, args) -> {
                    String name = method.getName();
                    if (name.equals("getAutoCommit")) {
                        return autoCommit;
                    }
                    calls.add(name.equals("setAutoCommit") ? name + "(" + args[0] + ")" : name);
                    if (failing.contains(name)) {
                        throw new SQLException(name);
                    }
                    return null;
                });
        return (DataSource) Proxy.newProxyInstance(
                TransactionBlockTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, args) -> connection);
    }
}
