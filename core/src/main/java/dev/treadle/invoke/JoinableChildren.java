package dev.treadle.invoke;

import dev.treadle.job.ChildFailedException;
import dev.treadle.job.ChildResults;
import dev.treadle.job.Children;
import dev.treadle.job.GateId;
import dev.treadle.job.JobId;
import dev.treadle.job.JobResult;
import dev.treadle.job.JoinRule;
import dev.treadle.job.ResultNotKeptException;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Completion;
import dev.treadle.lifecycle.Gate;
import dev.treadle.storage.RunStorage;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The children of one gate. Their ids are computed, so nothing is asked to list them.
 *
 * @param name  what the parent's code calls them
 * @param count how many there are
 * @param type  what they return
 */
record JoinableChildren<R>(RunGates gates, String name, long count, Type type) implements Children<R> {
    /** How many endings are read at once, in jobs. */
    private static final int PAGE = RunStorage.RUNS_MAX;

    @Override
    public JobId id(long ordinal) {
        return gateId().child(Objects.checkIndex(ordinal, count));
    }

    private GateId gateId() {
        return gates.idOf(name);
    }

    @Override
    public ChildResults<R> join(JoinRule rule) {
        Gate gate = gates.await(name, rule);
        Results results = new Results(gate);
        boolean enough = switch (rule) {
            case ALL_END -> true;
            case ALL_SUCCEED -> gate.failed() == 0;
            case ANY_SUCCEEDS -> gate.succeeded() > 0 || count == 0;
        };
        if (!enough) {
            throw failed(results, rule);
        }
        return results;
    }

    private ChildFailedException failed(Results results, JoinRule rule) {
        ChildResults.FailedChild first = results.failed()
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("A child of '" + name + "' was run again just now."));
        String what = count == 1 ? "" : rule == JoinRule.ANY_SUCCEEDS ? ", as all " + count : ", one of " + count;
        return new ChildFailedException(
                first.id(),
                "The child '" + name + "'" + (count == 1 ? "" : " " + first.ordinal()) + " (job " + first.id() + what
                        + ") is "
                        + first.state() + ": " + first.why()
                        + (first.why().endsWith(".") ? "" : ".")
                        + " Run that job again, and then this one: it goes on from there.");
    }

    /** A child that has ended. */
    private record Ended(long ordinal, JobId id, Completion how) {}

    private Stream<Ended> ended() {
        return LongStream.range(0, (count + PAGE - 1) / PAGE).boxed().flatMap(page -> page(page * PAGE));
    }

    private Stream<Ended> page(long from) {
        List<JobId> ids = LongStream.range(from, Math.min(count, from + PAGE))
                .mapToObj(gateId()::child)
                .toList();
        Map<JobId, Completion> endings = gates.runs().endings(ids);
        List<Ended> page = new ArrayList<>(ids.size());
        for (int i = 0; i < ids.size(); i++) {
            Completion how = endings.get(ids.get(i));
            if (how != null) {
                page.add(new Ended(from + i, ids.get(i), how));
            }
        }
        return page.stream();
    }

    private final class Results implements ChildResults<R> {
        private final Gate gate;

        Results(Gate gate) {
            this.gate = gate;
        }

        @Override
        public long count() {
            return count;
        }

        @Override
        public long succeededCount() {
            return gate.succeeded();
        }

        @Override
        public long failedCount() {
            return gate.failed();
        }

        @Override
        public Stream<R> succeeded() {
            return ended().filter(child -> child.how.state() == StateName.SUCCEEDED)
                    .mapMulti((child, each) -> {
                        R value = value(child);
                        if (value != null) {
                            each.accept(value);
                        }
                    });
        }

        private @Nullable R value(Ended child) {
            JobResult result = child.how.result();
            if (result == null) {
                return null;
            }
            if (result.json() == null) {
                throw new ResultNotKeptException(child.id, String.valueOf(result.whyNotKept()));
            }
            return gates.results().read(result.json(), type);
        }

        @Override
        public Stream<FailedChild> failed() {
            return ended().filter(child -> child.how.state() != StateName.SUCCEEDED)
                    .map(child -> new FailedChild(
                            child.ordinal,
                            child.id,
                            child.how.state(),
                            child.how.why() == null ? "" : child.how.why().message()));
        }
    }
}
