package dev.treadle.benchmark;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.enqueue.IdSource;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Treadle's tables and statements without Treadle: how fast the database would let it be. */
final class BareContender implements Contender {
    private static final int CONNECTIONS = 10;
    private static final int BATCH = 1_000;

    private final Database database;
    private final Consumer<Work> body;
    private final BareStatements statements = BareStatements.load();
    private final IdSource ids = new IdSource(Clock.systemUTC(), new Random());
    private final HikariDataSource pool;
    private @Nullable BareLoop loop;

    BareContender(Database database, Consumer<Work> body) {
        this.database = database;
        this.body = body;
        this.pool = database.pool(CONNECTIONS);
    }

    /** As Treadle's own pool sets its connections up. */
    static void planByIndex(Connection connection) throws SQLException {
        try (Statement set = connection.createStatement()) {
            set.execute("set enable_seqscan = off; set jit = off");
        }
    }

    @Override
    public void prepare() {
        SqlStorageProvider.open(database.url(), database.user(), "").close();
    }

    @Override
    public void enqueueOne(Work work) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement insert = connection.prepareStatement(statements.insertOne())) {
            insert.setObject(1, ids.nextJobId().value());
            insert.setString(2, "bare");
            insert.setString(3, null);
            insert.setString(4, BarePayload.write(work));
            insert.setInt(5, 0);
            insert.setString(6, null);
            insert.setInt(7, BareStatements.LANE);
            insert.executeQuery().close();
        }
    }

    @Override
    public void enqueueBulk(Stream<Work> work) throws SQLException {
        var all = work.iterator();
        List<Work> batch = new ArrayList<>();
        while (all.hasNext()) {
            batch.add(all.next());
            if (batch.size() == BATCH || !all.hasNext()) {
                insert(batch);
                batch.clear();
            }
        }
    }

    private void insert(List<Work> batch) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement insert = connection.prepareStatement(statements.insert())) {
            int size = batch.size();
            insert.setArray(
                    1,
                    connection.createArrayOf(
                            "uuid",
                            batch.stream().map(one -> ids.nextJobId().value()).toArray(UUID[]::new)));
            insert.setArray(2, texts(connection, batch.stream().map(one -> "bare")));
            insert.setArray(3, connection.createArrayOf("text", new String[size]));
            insert.setArray(4, texts(connection, batch.stream().map(BarePayload::write)));
            insert.setArray(
                    5,
                    connection.createArrayOf(
                            "int2", batch.stream().map(one -> (short) 0).toArray(Short[]::new)));
            insert.setArray(6, connection.createArrayOf("text", new String[size]));
            insert.setInt(7, BareStatements.LANE);
            insert.executeQuery().close();
        }
    }

    private static Array texts(Connection connection, Stream<String> texts) throws SQLException {
        return connection.createArrayOf("text", texts.toArray(String[]::new));
    }

    @Override
    public void startWorkers(int workers) {
        loop = new BareLoop(database, statements, body, workers);
        loop.start();
    }

    @Override
    public void stopWorkers() throws InterruptedException {
        if (loop != null) {
            loop.stop();
            loop = null;
        }
    }

    @Override
    public boolean isDrained() {
        return database.holds("not exists (select 1 from treadle_lease) and not exists (select 1 from treadle_ready)");
    }

    @Override
    public long waiting() {
        return database.number("count(*) from treadle_ready");
    }

    @Override
    public OptionalLong finished() {
        return OptionalLong.of(database.number("count(*) from treadle_history where next = 3"));
    }

    @Override
    public void close() {
        try {
            stopWorkers();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            pool.close();
        }
    }
}
