package dev.treadle.dispatch;

import dev.treadle.invoke.Attempt;
import dev.treadle.invoke.ChunkCall;
import dev.treadle.outcome.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the thread of a chunk does: one call for all jobs, then what {@link AttemptRunner} does with each of them. Whatever
 * goes wrong with one, the others are brought to their ends. Thread-safe.
 */
final class ChunkRunner {
    private final LocalState local;
    private final Execution execution;
    private final AttemptRunner each;

    /** @param each ends single attempts */
    ChunkRunner(LocalState local, Execution execution, AttemptRunner each) {
        this.local = local;
        this.execution = execution;
        this.each = each;
    }

    /** Called by the executor's thread, with members that it runs. */
    void run(List<ChunkMember> members) {
        LocalQueue queue = members.get(0).queue();
        List<@Nullable Object> seen = new ArrayList<>();
        members.forEach(member -> member.outcome(AttemptRunner.UNKNOWN));
        try {
            List<Attempt> attempts = members.stream().map(AttemptTask::attempt).toList();
            ChunkCall.of(attempts);
            for (ChunkMember member : members) {
                local.inFlight().began(member);
                seen.add(each.started(member));
            }
            List<Outcome> outcomes = execution.run().ofChunk(attempts, each.threads(queue));
            for (int i = 0; i < outcomes.size(); i++) {
                members.get(i).outcome(outcomes.get(i));
            }
        } finally {
            try {
                ended(members, 0);
            } finally {
                // an interrupt that was meant for these must not reach the next job on this thread
                Thread.interrupted();
                settle(members, seen, 0);
            }
        }
    }

    private void ended(List<ChunkMember> members, int from) {
        if (from < members.size()) {
            try {
                local.inFlight().ended(members.get(from));
            } finally {
                ended(members, from + 1);
            }
        }
    }

    private void settle(List<ChunkMember> members, List<@Nullable Object> seen, int from) {
        if (from < members.size()) {
            ChunkMember member = members.get(from);
            try {
                Outcome outcome = member.outcome();
                local.queues().endedOne(member.queue(), outcome == null ? AttemptRunner.UNKNOWN : outcome);
                each.settle(member, from < seen.size() ? seen.get(from) : null);
            } finally {
                settle(members, seen, from + 1);
            }
        }
    }
}
