package dev.treadle.storage.admin;

import dev.treadle.job.JobId;
import java.time.Instant;

/**
 * Jobs that failed of the same cause.
 *
 * @param cause   what was thrown and where, as {@link dev.treadle.job.Failure#cause} says it
 * @param jobs    how many are Failed of it, counted up to {@link JobSearch#CAUSE_COUNT_MAX}
 * @param first   when the earliest of those failed
 * @param last    when the latest failed
 * @param latest  the latest job
 * @param target  what the latest job calls
 * @param message its message
 */
public record FailureGroup(
        String cause, int jobs, Instant first, Instant last, JobId latest, String target, String message) {}
