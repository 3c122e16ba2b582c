package dev.treadle.storage.memory;

import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.JobState;
import dev.treadle.job.JobStory;
import dev.treadle.job.KeyRule;
import dev.treadle.lifecycle.Completion;
import java.util.Map;
import java.util.Optional;

/** The story of a job. Guarded by the lock of its storage. */
final class MemoryStories {
    private final Map<JobId, Job> jobs;
    private final MemoryHistory history;
    private final MemoryRuns runs;
    private final MemoryKeys keys;

    MemoryStories(Map<JobId, Job> jobs, MemoryHistory history, MemoryRuns runs, MemoryKeys keys) {
        this.jobs = jobs;
        this.history = history;
        this.runs = runs;
        this.keys = keys;
    }

    Optional<JobStory> story(JobId id) {
        return Optional.ofNullable(jobs.get(id)).map(job -> new JobStory(explained(job), history.of(id)));
    }

    /** With the key that it waits for. */
    private Job explained(Job job) {
        KeyRule rule = job.traits().key();
        if (rule == null || !keys.isInLine(job.id())) {
            return job;
        }
        JobState state = new JobState.Enqueued(job.state().since(), rule.key());
        return new Job(job.id(), job.invocation(), job.traits(), job.createdAt(), job.attempt(), state);
    }

    /** How a job ended; empty if it has not. */
    Optional<Completion> ended(JobId id) {
        Job job = jobs.get(id);
        if (job == null || !job.state().name().isFinal()) {
            return Optional.empty();
        }
        MemoryHistory.Told last = history.last(id);
        return Optional.of(new Completion(
                job.state().name(),
                runs.resultOf(id, last.token()),
                last.entry().why()));
    }
}
