package dev.treadle.enqueue;

import dev.treadle.job.Invocation;
import dev.treadle.job.JobTraits;
import dev.treadle.lifecycle.RecurringJob;
import dev.treadle.lifecycle.RecurringJob.Plan;
import dev.treadle.lifecycle.RecurringJob.Progress;
import dev.treadle.lifecycle.RecurringJob.Standing;
import dev.treadle.lifecycle.RecurringJob.Status;
import dev.treadle.schedule.RecurringRules;
import dev.treadle.schedule.Schedule;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What becomes of a recurring job when code declares it or people change it. Pure but for the question what time it is. */
final class RecurringPlans {

    /** What code says at a start. */
    record Declared(Schedule schedule, RecurringRules rules, Invocation invocation, JobTraits traits) {}

    /** @param now asked only if something has to change */
    RecurringJob declared(@Nullable RecurringJob found, String id, Declared code, Supplier<Instant> now) {
        String text = code.schedule().toText();
        if (found == null) {
            Instant since = now.get();
            return new RecurringJob(
                    id,
                    new Plan(code.invocation(), code.traits(), text, text, code.rules()),
                    Progress.from(code.schedule().next(since).orElse(null)),
                    new Standing(Status.ACTIVE, null, null, since),
                    0);
        }
        Plan before = found.plan();
        boolean changedByPeople = !before.schedule().equals(before.declared());
        String inForce = changedByPeople ? before.schedule() : text;
        Plan plan = new Plan(code.invocation(), code.traits(), inForce, text, code.rules());
        return inForce.equals(before.schedule())
                ? found.with(plan)
                : found.with(plan).with(fromNow(found, inForce, now.get()));
    }

    RecurringJob rescheduled(RecurringJob found, String schedule, String by, @Nullable String why, Instant now) {
        if (schedule.equals(found.plan().schedule())) {
            return found;
        }
        return found.with(found.plan().withSchedule(schedule))
                .with(fromNow(found, schedule, now))
                .with(new Standing(found.standing().status(), by, why, now));
    }

    RecurringJob standing(RecurringJob found, Status status, String by, @Nullable String why, Instant now) {
        if (status == found.standing().status()) {
            return found;
        }
        RecurringJob changed = found.with(new Standing(status, by, why, now));
        return status == Status.ACTIVE
                ? changed.with(fromNow(found, found.plan().schedule(), now))
                : changed;
    }

    /** Its next slot is the first from now on, and later than any that has a job already. */
    private static Progress fromNow(RecurringJob found, String text, Instant now) {
        Progress progress = found.progress();
        Schedule schedule = Schedule.parse(text);
        if (schedule.followsRuns() && progress.job() != null) {
            // the last job may run still, and the delay begins with its end
            return new Progress(null, progress.slot(), progress.job(), progress.job());
        }
        Instant last = progress.slot();
        Instant after = last != null && last.isAfter(now) ? last : now;
        return progress.withNext(schedule.next(after).orElse(null));
    }
}
