package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.sql.session.Session;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Two who write the same leases never deadlock; where a deadlock is forced from outside, the call is repeated. */
class DeadlockTest extends Interleaving {
    private static final int ROUNDS = Integer.getInteger("treadle.faults.deadlock.rounds", 15);

    @Test
    void an_owner_and_a_rescuer_who_write_the_same_leases_in_opposite_order_do_not_deadlock() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            List<Lease> leases = claimed(200);
            List<Lease> backwards = new ArrayList<>(leases);
            Collections.reverse(backwards);
            OpenTransaction owner = transaction();
            OpenTransaction rescuer = transaction();

            Future<Set<RunId>> completed =
                    owner.begins(session -> endAndCommit(session, all(leases, Interleaving::completed)));
            Future<Set<RunId>> rescued =
                    rescuer.begins(session -> endAndCommit(session, all(backwards, Interleaving::rescued)));

            int wins = OpenTransaction.answer(completed).size()
                    + OpenTransaction.answer(rescued).size();
            assertEquals(200, wins, "each lease is ended once");
            owner.close();
            rescuer.close();
        }
    }

    private Set<RunId> endAndCommit(Session session, List<Transition> endings) throws java.sql.SQLException {
        Set<RunId> ended = verbs.end(session, endings);
        session.connection().commit();
        return ended;
    }

    /** The storage holds a lease and needs a table; another holds the table and needs the lease. */
    @Test
    void a_call_that_the_database_rolls_back_to_end_a_deadlock_is_repeated_and_succeeds() throws Exception {
        List<Lease> leases = claimed(3);
        Transition contested = completed(leases.get(0));
        List<Transition> mixed = List.of(contested, rescued(leases.get(1)), parked(leases.get(2)));
        OpenTransaction pause = transaction();
        OpenTransaction rival = transaction();
        pause.execute("lock table treadle_deferred in access exclusive mode");
        rival.execute("set local deadlock_timeout = '1h'");
        rival.execute("lock table treadle_parked in access exclusive mode");

        try (HikariDataSource pool = pool("deadlock-victim")) {
            SqlStorageProvider victim = SqlStorageProvider.using(pool, settings());
            Future<List<WriteResult>> answers = CompletableFuture.supplyAsync(() -> victim.record(mixed));
            OpenTransaction.untilSomeoneWaits(database, "deadlock-victim");
            Future<Set<RunId>> taken = rival.waitsToDo(session -> verbs.end(session, List.of(failed(leases.get(0)))));
            pause.commit();
            assertEquals(1, OpenTransaction.answer(taken).size(), "the victim let go of it");
            rival.commit();

            List<WriteResult> results = OpenTransaction.answer(answers);
            assertInstanceOf(WriteResult.Stale.class, results.get(0));
            assertEquals(List.of(WriteResult.WRITTEN, WriteResult.WRITTEN), results.subList(1, 3));
        }
        assertEquals(List.of(StateName.FAILED), story(leases.get(0).job().id()));
        assertEquals(List.of(StateName.PARKED), story(leases.get(2).job().id()));
    }

    private static HikariDataSource pool(String application) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(TestDatabases.postgresUrl() + "&ApplicationName=" + application);
        config.setMaximumPoolSize(2);
        return new HikariDataSource(config);
    }
}
