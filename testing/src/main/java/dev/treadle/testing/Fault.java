package dev.treadle.testing;

import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobType;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Something that goes wrong once, in the first run that comes to its place. {@link TreadleTest#inject} plans it:
 *
 * <pre>{@code
 * test.inject(Fault.crashAfterStep("pay").of(Order.class));
 * test.jobs().enqueue(new Order(7));
 * test.advance(Duration.ofMinutes(5));       // the crash is noticed, and the job runs again
 * assertEquals(1, bank.charges());           // it was not paid twice
 * }</pre>
 *
 * <p><b>A crash</b> ends the process at that place: nothing that the run does later reaches the storage. The job's code
 * gets a {@link SimulatedCrash}, so its {@code finally} blocks run, which they would not in a process that is killed.
 * Another node takes over at once, and finds after {@code deadAfter} (15 s unless set) that the first one is dead. Then the
 * job waits for its retry.
 *
 * <p><b>A lost lease</b> is what a long pause brings, such as that of a suspended machine: the run stands still until
 * another node has taken its job away, and then continues. What it records from then on is refused.
 */
public final class Fault {
    /** What happens. */
    enum Kind {
        CRASH("crash"),
        LEASE_LOST("leaseLost");

        private final String word;

        Kind(String word) {
            this.word = word;
        }
    }

    /** Where it happens. */
    enum Place {
        BEFORE_RUN("BeforeRun"),
        IN_STEP("InStep"),
        AFTER_STEP("AfterStep"),
        AFTER_RUN("AfterRun");

        private final String word;

        Place(String word) {
            this.word = word;
        }
    }

    private final Kind kind;
    private final Place place;
    private final @Nullable String step;
    private final @Nullable Class<?> request;
    private final @Nullable JobId job;
    private final int attempt;

    private Fault(
            Kind kind,
            Place place,
            @Nullable String step,
            @Nullable Class<?> request,
            @Nullable JobId job,
            int attempt) {
        this.kind = kind;
        this.place = place;
        this.step = step;
        this.request = request;
        this.job = job;
        this.attempt = attempt;
    }

    private static Fault of(Kind kind, Place place, @Nullable String step) {
        return new Fault(kind, place, step, null, null, 0);
    }

    /** The process dies after it has claimed the job, before the job's code begins. */
    public static Fault crashBeforeRun() {
        return of(Kind.CRASH, Place.BEFORE_RUN, null);
    }

    /** The process dies when the work of a step has been done and before that is recorded; the next run does it again. */
    public static Fault crashInStep(String step) {
        return of(Kind.CRASH, Place.IN_STEP, Objects.requireNonNull(step));
    }

    /** The process dies when a step has been recorded, before the job's code continues. */
    public static Fault crashAfterStep(String step) {
        return of(Kind.CRASH, Place.AFTER_STEP, Objects.requireNonNull(step));
    }

    /** The process dies when the job's code has returned and before its success is recorded. */
    public static Fault crashAfterRun() {
        return of(Kind.CRASH, Place.AFTER_RUN, null);
    }

    /** The run loses its lease before the job's code begins. */
    public static Fault leaseLostBeforeRun() {
        return of(Kind.LEASE_LOST, Place.BEFORE_RUN, null);
    }

    /** The run loses its lease when the work of a step has been done and before that is recorded. */
    public static Fault leaseLostInStep(String step) {
        return of(Kind.LEASE_LOST, Place.IN_STEP, Objects.requireNonNull(step));
    }

    /** The run loses its lease when a step has been recorded. */
    public static Fault leaseLostAfterStep(String step) {
        return of(Kind.LEASE_LOST, Place.AFTER_STEP, Objects.requireNonNull(step));
    }

    /** The run loses its lease when the job's code has returned and before its success is recorded. */
    public static Fault leaseLostAfterRun() {
        return of(Kind.LEASE_LOST, Place.AFTER_RUN, null);
    }

    /** The same, in a run of a request of this type only. */
    public Fault of(Class<? extends JobRequest<?>> request) {
        return new Fault(kind, place, step, request, job, attempt);
    }

    /** The same, in a run of this job only. */
    public Fault of(JobId job) {
        return new Fault(kind, place, step, request, job, attempt);
    }

    /** The same, in this attempt only; the first one is 1. */
    public Fault inAttempt(int attempt) {
        if (attempt < 1) {
            throw new IllegalArgumentException("inAttempt(" + attempt + "): the first attempt is 1.");
        }
        return new Fault(kind, place, step, request, job, attempt);
    }

    Kind kind() {
        return kind;
    }

    /** Whether it happens to this run at that place. */
    boolean hits(Job run, Place at, @Nullable String name) {
        return at == place
                && Objects.equals(name, step)
                && (request == null
                        || run.invocation().method() == null
                                && isNamed(request, run.invocation().type()))
                && (job == null || job.equals(run.id()))
                && (attempt == 0 || attempt == run.attempt());
    }

    private static boolean isNamed(Class<?> request, String stored) {
        JobType named = request.getDeclaredAnnotation(JobType.class);
        return stored.equals(request.getName())
                || named != null
                        && (stored.equals(named.value())
                                || Set.of(named.formerly()).contains(stored));
    }

    /** As it was written in the test. */
    @Override
    public String toString() {
        return "Fault." + kind.word + place.word + (step == null ? "()" : "(\"" + step + "\")")
                + (request == null ? "" : ".of(" + request.getSimpleName() + ".class)")
                + (job == null ? "" : ".of(job " + job + ")")
                + (attempt == 0 ? "" : ".inAttempt(" + attempt + ")");
    }
}
