package dev.treadle.storage.sql.postgresql;

import dev.treadle.job.Failure;
import dev.treadle.storage.Ending;
import dev.treadle.storage.RunId;
import dev.treadle.storage.sql.rows.LaneIds;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Writes endings, one statement for each kind, rows in the order of their ids so that two writers cannot deadlock. */
final class PostgresEndings {
    private static final Comparator<Ending> BY_ID =
            Comparator.comparing(ending -> ending.lease().job().id());

    private final Session session;
    private final LaneIds lanes;
    private final Set<RunId> ended = new HashSet<>();

    PostgresEndings(Session session, LaneIds lanes) {
        this.session = session;
        this.lanes = lanes;
    }

    Set<RunId> write(List<Ending> endings) throws SQLException {
        if (endings.size() == 1 && endings.get(0) instanceof Ending.Complete done && done.result() == null) {
            completeOne(done);
            return ended;
        }
        List<Ending.Complete> completed = of(Ending.Complete.class, endings);
        List<Ending.Complete> plain =
                completed.stream().filter(done -> done.result() == null).toList();
        complete(plain);
        write(
                SqlStatement.COMPLETE_WITH_RESULT,
                completed.stream().filter(done -> done.result() != null).toList(),
                arrays -> arrays.longs(done -> Rows.micros(done.ranFor()))
                        .texts(done ->
                                done.result() == null ? null : done.result().json())
                        .texts(done ->
                                done.result() == null ? null : done.result().whyNotKept()));
        write(
                SqlStatement.SNOOZE,
                of(Ending.Snooze.class, endings),
                arrays -> arrays.longs(snooze -> Rows.micros(snooze.ranFor()))
                        .longs(snooze -> Rows.micros(snooze.delay()))
                        .shorts(PostgresEndings::priority)
                        .shortsUnlessAllZero(this::lane));
        write(SqlStatement.RETRY, of(Ending.Retry.class, endings), arrays -> {
            arrays.longs(retry -> Rows.micros(retry.ranFor()))
                    .shorts(retry -> retry.event().code());
            failure(arrays, Ending.Retry::why)
                    .longs(retry -> Rows.micros(retry.delay()))
                    .shorts(PostgresEndings::priority)
                    .shortsUnlessAllZero(this::lane);
        });
        write(SqlStatement.FAIL, of(Ending.Fail.class, endings), arrays -> {
            arrays.longs(fail -> Rows.micros(fail.ranFor()))
                    .shorts(fail -> fail.event().code());
            failure(arrays, Ending.Fail::why);
        });
        write(
                SqlStatement.PARK,
                of(Ending.Park.class, endings),
                arrays -> failure(arrays, Ending.Park::why)
                        .texts(park -> park.lease().job().invocation().target())
                        .booleans(Ending.Park::known)
                        .shorts(PostgresEndings::priority)
                        .shortsUnlessAllZero(this::lane));
        write(
                SqlStatement.GIVE_BACK,
                of(Ending.GiveBack.class, endings),
                arrays -> arrays.longs(back -> Rows.micros(back.ranFor()))
                        .times(back -> Rows.time(back.lease().dueSince()))
                        .shorts(PostgresEndings::priority)
                        .shortsUnlessAllZero(this::lane));
        return ended;
    }

    private void complete(List<Ending.Complete> plain) throws SQLException {
        if (plain.size() == 1) {
            completeOne(plain.get(0));
            return;
        }
        Set<RunId> copied = PostgresBulk.complete(session, plain);
        if (copied != null) {
            ended.addAll(copied);
        } else {
            write(SqlStatement.COMPLETE, plain, arrays -> arrays.longs(done -> Rows.micros(done.ranFor())));
        }
    }

    private void completeOne(Ending.Complete done) throws SQLException {
        try (PreparedStatement complete = session.prepare(SqlStatement.COMPLETE_ONE)) {
            complete.setObject(1, done.lease().job().id().value());
            complete.setLong(2, done.lease().token());
            complete.setObject(3, Rows.micros(done.ranFor()));
            ended.addAll(Rows.runs(complete));
        }
    }

    private static <E extends Ending> List<E> of(Class<E> kind, List<Ending> endings) {
        return endings.stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .sorted(BY_ID)
                .toList();
    }

    private <E extends Ending> void write(SqlStatement verb, List<E> endings, Columns<E> columns) throws SQLException {
        if (endings.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = session.prepare(verb)) {
            columns.set(new PostgresArrays<>(session, statement, endings)
                    .uuids(ending -> ending.lease().job().id().value())
                    .longs(ending -> ending.lease().token()));
            ended.addAll(Rows.runs(statement));
        }
    }

    private static <E extends Ending> PostgresArrays<E> failure(PostgresArrays<E> arrays, Function<E, Failure> why)
            throws SQLException {
        return arrays.texts(ending -> why.apply(ending).type())
                .texts(ending -> why.apply(ending).message())
                .texts(ending -> why.apply(ending).trace());
    }

    private static Integer priority(Ending ending) {
        return ending.lease().job().priority();
    }

    private int lane(Ending ending) {
        return lanes.of(ending.lease().job().traits().lane());
    }

    /** Sets the columns after the first two, which every kind has. */
    private interface Columns<E> {
        void set(PostgresArrays<E> arrays) throws SQLException;
    }
}
