package dev.treadle.dashboard.api;

import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.storage.JobQueries;
import dev.treadle.storage.admin.JobSearch;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What may be seen of single jobs. What a job calls never changes, so it is looked up once while people look at it. */
final class JobRedactors {
    /** Jobs that are remembered; with more, looking them up begins anew. */
    private static final int JOBS_MAX = 500;

    private final JobQueries queries;
    private final Redactor redactor;
    private final Map<JobId, Redactor> known = new ConcurrentHashMap<>();

    JobRedactors(JobQueries queries, Redactor redactor) {
        this.queries = queries;
        this.redactor = redactor;
    }

    /** For a job by its id. Of one that is gone, such as one that was deleted a moment ago, nothing is shown. */
    Redactor of(JobId id) {
        Redactor mine = known.get(id);
        return mine != null
                ? mine
                : queries.find(id).map(story -> remember(id, story.job())).orElseGet(redactor::hidingAll);
    }

    private Redactor remember(JobId id, Job whole) {
        if (known.size() >= JOBS_MAX) {
            known.clear();
        }
        Redactor mine = of(whole);
        known.put(id, mine);
        return mine;
    }

    /** For a job with all of its arguments. */
    Redactor of(Job whole) {
        return redactor.of(whole.invocation());
    }

    /**
     * For a job of a list, which has only the beginning of its arguments: where its code marks something, the values may
     * stand behind that.
     */
    Redactor ofListed(Job job) {
        boolean mayBeCut = job.invocation().arguments().length() >= JobSearch.ARGUMENT_CHARS_MAX;
        return mayBeCut
                        && redactor.of(job.invocation().type(), job.invocation().method())
                                .hasMarks()
                ? of(job.id())
                : of(job);
    }
}
