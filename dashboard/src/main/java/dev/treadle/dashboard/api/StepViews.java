package dev.treadle.dashboard.api;

import dev.treadle.job.JobId;
import dev.treadle.job.JobStep;
import dev.treadle.storage.RunStorage;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The recorded steps of one job, as the API shows them. */
final class StepViews {
    /** Most steps in one answer. */
    static final int STEPS = 100;
    /** How much of one result is shown, in characters. */
    static final int RESULT_CHARS = 4_000;

    private final RunStorage runs;
    private final JobRedactors redactors;

    StepViews(RunStorage runs, JobRedactors redactors) {
        this.runs = runs;
        this.redactors = redactors;
    }

    /** Some of them, in the order in which they were recorded; {@code next} says where to go on, if there are more. */
    record Page(List<Step> steps, @Nullable Integer next) {}

    /**
     * One step.
     *
     * @param result as JSON, without its secrets; null if it returned nothing
     * @param cut    whether only the beginning of the result is given
     */
    record Step(
            String name,
            int attempt,
            Instant at,
            long tookMs,
            @Nullable String result,
            boolean cut) {}

    Page page(JobId id, int from) {
        List<JobStep> found = runs.steps(id, from, STEPS + 1);
        if (found.isEmpty()) {
            return new Page(List.of(), null);
        }
        Redactor mine = redactors.of(id);
        return new Page(
                found.stream().limit(STEPS).map(step -> shown(step, mine)).toList(),
                found.size() > STEPS ? from + STEPS : null);
    }

    private static Step shown(JobStep step, Redactor mine) {
        String result = step.result();
        boolean cut = result != null && result.length() > RESULT_CHARS;
        String text = result == null || !cut ? result : result.substring(0, RESULT_CHARS);
        return new Step(
                mine.text(step.name()),
                step.attempt(),
                step.at(),
                step.took().toMillis(),
                text == null ? null : mine.result(text, step.secrets()),
                cut);
    }
}
