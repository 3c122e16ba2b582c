package dev.treadle.storage.sql.postgresql;

import dev.treadle.job.Due;
import dev.treadle.job.Failure;
import dev.treadle.job.JobResult;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Transition;
import dev.treadle.lifecycle.Trigger;
import dev.treadle.storage.sql.portable.PortableEndings;
import dev.treadle.storage.sql.rows.LaneIds;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes how attempts ended. What nearly all jobs do, to end well and return nothing, has measured fast ways of its own for
 * one, some and many; all else is one statement. Rows in the order of their ids, so that two writers cannot deadlock.
 */
final class PostgresEndings {
    private final Session session;
    private final LaneIds lanes;
    private final Set<RunId> ended = new HashSet<>();
    private final Collection<RunId> followed;

    /** @param followed gets the runs of jobs that others were enqueued to run after while they ran */
    PostgresEndings(Session session, LaneIds lanes, Collection<RunId> followed) {
        this.session = session;
        this.lanes = lanes;
        this.followed = followed;
    }

    Set<RunId> write(List<Transition> endings) throws SQLException {
        List<Transition> sorted = endings.size() == 1
                ? endings
                : endings.stream().sorted(Comparator.comparing(Transition::job)).toList();
        List<Transition> plain = sorted.stream().filter(Transition::isPlain).toList();
        complete(plain);
        if (plain.size() < sorted.size()) {
            applyAll(sorted.stream().filter(ending -> !ending.isPlain()).toList());
        }
        return ended;
    }

    private void complete(List<Transition> plain) throws SQLException {
        if (plain.isEmpty()) {
            return;
        }
        if (plain.size() == 1) {
            completeOne(plain.get(0));
            return;
        }
        Set<RunId> copied = PostgresBulk.complete(session, plain, followed);
        if (copied != null) {
            ended.addAll(copied);
            return;
        }
        try (NamedStatement complete = session.statement(SqlStatement.COMPLETE)) {
            leases(complete, plain).longs("ran_micros", done -> Rows.micros(done.ranFor()));
            ended.addAll(Rows.ended(complete, followed));
        }
    }

    private void completeOne(Transition done) throws SQLException {
        try (NamedStatement complete = session.statement(SqlStatement.COMPLETE_ONE)) {
            complete.setObject("job_id", done.job().value());
            complete.setLong("token", done.lease().token());
            complete.setObject("ran_micros", Rows.micros(done.ranFor()));
            ended.addAll(Rows.ended(complete, followed));
        }
    }

    private void applyAll(List<Transition> endings) throws SQLException {
        List<Transition> suspended = endings.stream()
                .filter(ending -> ending.trigger() == Trigger.SUSPEND)
                .toList();
        if (!suspended.isEmpty()) {
            ended.addAll(new PortableEndings(session, lanes, followed).write(suspended));
        }
        if (suspended.size() < endings.size()) {
            apply(endings.stream()
                    .filter(ending -> ending.trigger() != Trigger.SUSPEND)
                    .toList());
        }
    }

    private void apply(List<Transition> endings) throws SQLException {
        try (NamedStatement apply = session.statement(SqlStatement.APPLY)) {
            leases(apply, endings)
                    .shorts(
                            "events",
                            ending -> ending.event() == null
                                    ? null
                                    : ending.event().code())
                    .shorts("nexts", ending -> ending.next().code())
                    .shorts("attempts", ending -> ending.to().attempt())
                    .longs("ran_micros", ending -> Rows.micros(ending.ranFor()))
                    .texts("error_types", why(Failure::type))
                    .texts("error_messages", why(Failure::message))
                    .texts("error_traces", why(Failure::trace))
                    .texts("results", result(JobResult::json))
                    .texts("reasons_not_kept", result(JobResult::whyNotKept))
                    .longs("delays", ending -> Rows.micros(ending.delay()))
                    .times("due_sinces", PostgresEndings::dueSince)
                    .texts(
                            "targets",
                            ending -> ending.next() == StateName.PARKED
                                    ? ending.lease().job().invocation().target()
                                    : null)
                    .booleans("known", ending -> ending.details().known())
                    .shorts("priorities", ending -> ending.to().traits().priority())
                    .shortsUnlessAllZero(
                            "lanes", ending -> lanes.of(ending.to().traits().lane()));
            ended.addAll(Rows.ended(apply, followed));
        }
    }

    private PostgresArrays<Transition> leases(NamedStatement statement, List<Transition> endings) throws SQLException {
        return new PostgresArrays<>(session, statement, endings)
                .uuids("job_ids", ending -> ending.job().value())
                .longs("tokens", ending -> ending.lease().token());
    }

    private static Function<Transition, @Nullable String> why(Function<Failure, String> part) {
        return ending -> ending.why() == null ? null : part.apply(ending.why());
    }

    private static Function<Transition, @Nullable String> result(Function<JobResult, @Nullable String> part) {
        return ending -> ending.result() == null ? null : part.apply(ending.result());
    }

    /** Since when a job that may run again at once has been due; null of others. */
    private static @Nullable OffsetDateTime dueSince(Transition ending) {
        return ending.next() == StateName.ENQUEUED && ending.to().when() instanceof Due.At at
                ? Rows.time(at.instant())
                : null;
    }
}
