package dev.treadle.dashboard.api;

import dev.treadle.job.Job;
import dev.treadle.storage.TransactionalStorage;
import dev.treadle.storage.admin.JobPage;
import dev.treadle.storage.admin.JobSearch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds what a bulk action is done to, some jobs after the other. Used by one thread. */
interface Finder {
    /** Some more jobs, at most {@link TransactionalStorage#ACT_MAX}, or none in this place; null if there are no more. */
    @Nullable
    List<Job> next();

    /** All jobs of a list. */
    static Finder ofList(JobSearch search, Filter filter) {
        return new Finder() {
            private @Nullable String place;
            private boolean over;

            @Override
            public @Nullable List<Job> next() {
                if (over) {
                    return null;
                }
                JobPage page = search.list(filter.stored(), place, TransactionalStorage.ACT_MAX);
                place = page.next();
                over = place == null;
                return page.lines().stream()
                        .map(JobPage.Line::job)
                        .filter(filter::isMeant)
                        .toList();
            }
        };
    }
}
