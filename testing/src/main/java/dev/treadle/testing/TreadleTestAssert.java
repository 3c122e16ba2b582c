package dev.treadle.testing;

import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.StateName;
import org.assertj.core.api.AbstractAssert;

/** What AssertJ's style asserts about all jobs of a test. Failures list the jobs that there are. */
public final class TreadleTestAssert extends AbstractAssert<TreadleTestAssert, TreadleTest> {
    TreadleTestAssert(TreadleTest actual) {
        super(actual, TreadleTestAssert.class);
    }

    /**
     * Asserts that at least one request of this type waits to run, now or later.
     *
     * @return for assertions about those requests
     */
    public <T extends JobRequest<?>> EnqueuedAssert<T> enqueued(Class<T> request) {
        isNotNull();
        return new EnqueuedAssert<>(actual, request, actual.waiting(request)).isThere();
    }

    /** Asserts that no request of this type waits to run, neither now nor later. */
    public TreadleTestAssert notEnqueued(Class<? extends JobRequest<?>> request) {
        isNotNull();
        int found = actual.waiting(request).size();
        if (found > 0) {
            throw failure("Expected no enqueued %s, found %s. %s", request.getSimpleName(), found, actual.summary());
        }
        return this;
    }

    /** Asserts that a call of this method, which was enqueued as a lambda or a reference, waits to run. */
    public TreadleTestAssert enqueuedCall(Class<?> type, String method) {
        isNotNull();
        actual.assertCallEnqueued(type, method);
        return this;
    }

    /** Asserts that no job waits to run, neither now nor later. */
    public TreadleTestAssert nothingEnqueued() {
        isNotNull();
        actual.assertNothingEnqueued();
        return this;
    }

    /** Asserts that a job is in a state. */
    public TreadleTestAssert hasState(StateName state, JobId id) {
        isNotNull();
        actual.assertState(state, id);
        return this;
    }

    /** Asserts that no attempt of any job failed, and that no job is parked because nothing here can run it. */
    public TreadleTestAssert hasNoFailures() {
        isNotNull();
        actual.assertNoFailures();
        return this;
    }
}
