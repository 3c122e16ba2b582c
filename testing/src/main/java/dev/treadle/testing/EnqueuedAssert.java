package dev.treadle.testing;

import dev.treadle.job.Job;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ListAssert;

/**
 * What AssertJ's style asserts about enqueued requests of one type. Each {@code with} narrows them down to those that match,
 * and what follows is about these.
 *
 * @param <T> the request type
 */
public final class EnqueuedAssert<T extends JobRequest<?>> extends AbstractAssert<EnqueuedAssert<T>, List<Job>> {
    private final TreadleTest test;
    private final Class<T> request;

    EnqueuedAssert(TreadleTest test, Class<T> request, List<Job> found) {
        super(found, EnqueuedAssert.class);
        this.test = test;
        this.request = request;
    }

    EnqueuedAssert<T> isThere() {
        if (actual.isEmpty()) {
            throw failure("No %s is enqueued. %s", request.getSimpleName(), test.summary());
        }
        return this;
    }

    /** Asserts that there is exactly one. */
    public EnqueuedAssert<T> once() {
        return times(1);
    }

    /** Asserts that there are so many. */
    public EnqueuedAssert<T> times(int count) {
        if (actual.size() != count) {
            throw failure(
                    "Expected %s enqueued %s, found %s. %s",
                    count, request.getSimpleName(), actual.size(), test.summary());
        }
        return this;
    }

    /** Asserts that one is equal to this. */
    public EnqueuedAssert<T> with(T expected) {
        return with("equal to " + expected, expected::equals);
    }

    /** Asserts that at least one matches. */
    public EnqueuedAssert<T> with(Predicate<? super T> matches) {
        return with("matching", matches);
    }

    /**
     * Asserts that at least one matches.
     *
     * @param what says in the message of a failure what was looked for
     */
    public EnqueuedAssert<T> with(String what, Predicate<? super T> matches) {
        return only(what, job -> matches.test(test.request(job, request)));
    }

    /** Asserts that at least one is in this queue. */
    public EnqueuedAssert<T> onQueue(String queue) {
        return only("on the queue " + queue, job -> job.traits().queue().equals(queue));
    }

    /** Asserts that at least one has this label. */
    public EnqueuedAssert<T> labelled(String label) {
        return only("with the label " + label, job -> job.traits().labels().contains(label));
    }

    /** Asserts that at least one may run now. */
    public EnqueuedAssert<T> dueNow() {
        return only("due now", job -> !due(job).isAfter(test.now()));
    }

    /** Asserts that at least one is scheduled for this time. */
    public EnqueuedAssert<T> dueAt(Instant at) {
        return only("due at " + at, job -> due(job).equals(at));
    }

    /** Asserts that at least one is scheduled for so much later than now. */
    public EnqueuedAssert<T> dueIn(Duration delay) {
        return dueAt(test.now().plus(delay));
    }

    /** For assertions about the requests themselves. */
    public ListAssert<T> requests() {
        return Assertions.assertThat(requestsOf(actual));
    }

    private EnqueuedAssert<T> only(String what, Predicate<Job> matches) {
        List<Job> left = new ArrayList<>();
        for (Job job : actual) {
            if (matches.test(job)) {
                left.add(job);
            }
        }
        if (left.isEmpty()) {
            throw failure(
                    "None of the %s enqueued %s is %s: %s. %s",
                    actual.size(), request.getSimpleName(), what, requestsOf(actual), test.summary());
        }
        return new EnqueuedAssert<>(test, request, left);
    }

    private List<T> requestsOf(List<Job> jobs) {
        return jobs.stream().map(job -> test.request(job, request)).toList();
    }

    private static Instant due(Job job) {
        return job.state() instanceof JobState.Scheduled scheduled ? scheduled.dueAt() : Instant.MIN;
    }
}
