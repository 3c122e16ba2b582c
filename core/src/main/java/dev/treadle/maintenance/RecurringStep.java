package dev.treadle.maintenance;

import dev.treadle.job.JobId;
import dev.treadle.lifecycle.RecurringJob;
import dev.treadle.lifecycle.RecurringJob.Progress;
import dev.treadle.schedule.Overlap;
import dev.treadle.schedule.Schedule;
import dev.treadle.schedule.Slots;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.RecurringStorage;
import dev.treadle.storage.RecurringStorage.Advance;
import dev.treadle.storage.RecurringStorage.Found;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides what a due recurring job does next. Nothing else decides that. Pure: it has no clock, storage or thread. */
final class RecurringStep {
    private final RecurringJob seen;
    private final Progress progress;
    private final Instant now;
    private final @Nullable Instant endedAt;

    private RecurringStep(Found found, Instant now) {
        this.seen = found.recurring();
        this.progress = seen.progress();
        this.now = now;
        this.endedAt = found.endedAt();
    }

    /** @param now the storage's time when the job was found */
    static Advance of(Found found, Schedule schedule, Instant now) {
        RecurringStep step = new RecurringStep(found, now);
        return schedule.followsRuns() ? step.afterDelay(schedule) : step.bySlots(schedule);
    }

    private Advance afterDelay(Schedule delay) {
        if (progress.awaited() != null) {
            Instant end = endedAt == null ? now : endedAt;
            return go(progress.withNext(delay.next(end).orElse(null)), List.of());
        }
        Instant slot = progress.next() == null ? now : progress.next();
        JobId job = seen.jobId(slot);
        return go(new Progress(null, slot, job, job), List.of(NewJob.of(seen, slot)));
    }

    private Advance bySlots(Schedule schedule) {
        Instant first = progress.next();
        Overlap overlap = seen.plan().rules().overlap();
        Instant until = overlap == Overlap.ALLOW ? now.plus(RecurringStorage.AHEAD) : now;
        if (first == null || first.isAfter(until)) {
            // it waited for a job that ended before the next slot
            return go(progress.withNext(first == null ? schedule.next(now).orElse(null) : first), List.of());
        }
        boolean isRunning = overlap != Overlap.ALLOW && progress.job() != null && endedAt == null;
        if (isRunning && overlap == Overlap.QUEUE) {
            return go(new Progress(first, progress.slot(), progress.job(), progress.job()), List.of());
        }
        Slots due = Slots.due(schedule, first, now, until, seen.plan().rules());
        List<Instant> run = due.run();
        if (run.isEmpty() || isRunning) {
            return go(progress.withNext(due.next()), List.of());
        }
        return switch (overlap) {
            case ALLOW -> run(run, due.next());
            // of several late slots the newest, because they must not run at the same time
            case SKIP -> run(run.subList(run.size() - 1, run.size()), due.next());
            case QUEUE -> run(run.subList(0, 1), run.size() > 1 ? run.get(1) : due.next());
        };
    }

    private Advance run(List<Instant> slots, @Nullable Instant next) {
        Instant last = slots.get(slots.size() - 1);
        return go(
                new Progress(next, last, seen.jobId(last), null),
                slots.stream().map(slot -> NewJob.of(seen, slot)).toList());
    }

    private Advance go(Progress further, List<NewJob> jobs) {
        return new Advance(seen, further, jobs);
    }
}
