package dev.treadle.storage;

import dev.treadle.job.GateId;
import dev.treadle.job.JobId;
import dev.treadle.job.JoinRule;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Gate;
import dev.treadle.lifecycle.RunId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gates: what suspended jobs wait at. A job whose {@linkplain dev.treadle.job.JobTraits#gate traits name a gate} is counted
 * there by the same write that ends it. Nothing waits inside these calls: who may go on is found by {@link #open}, which
 * looks only at gates where something has happened. Calls behave as those of {@link StorageProvider}. Thread-safe.
 */
public interface GateStorage {
    /** One gate, with all that was committed until now. */
    Optional<Gate> find(GateId id);

    /**
     * Keeps children of a running job, and makes their gate if it is not there. The lease of the run cannot be taken
     * while this call is under way, so a cancel of the job finds all its children. A call that comes again changes
     * nothing.
     *
     * @param name     what the job's code calls the gate
     * @param from     how many were spawned there before: if the gate has another number by now, nothing is written
     * @param children at most {@link StorageProvider#BATCH_MAX}, with the ids {@link GateId#child} from {@code from} on, whose
     *                 traits name the gate
     * @param last     no more will come
     */
    Answer spawn(RunId run, String name, long from, List<NewJob> children, boolean last);

    /**
     * Keeps jobs of a batch, and the batch itself, Waiting, if it is not there. A call that comes again changes nothing.
     *
     * @param batch due as {@link dev.treadle.job.Due#BATCH}; its gate has the name {@link Gate#BATCH}
     * @param from  how many jobs were put into it before: if the gate has another number by now, nothing is written
     * @param jobs  at most {@link StorageProvider#BATCH_MAX}, with the ids {@link GateId#child} from {@code from} on, whose
     *              traits name the gate
     * @param last  no more will come
     * @return LeaseLost if the batch waits for its jobs no more, and was not complete when it ended
     */
    Answer batch(NewJob batch, long from, List<NewJob> jobs, boolean last);

    /**
     * Says what the job of a run waits for if it is suspended now, instead of what it waited for before.
     *
     * @param name the name of a gate that is there
     */
    Answer await(RunId run, String name, JoinRule rule);

    /**
     * Gives the event that has come for the job of a run. Where it has not, the job waits for it if it is suspended now. Once
     * its time is over it stays so, even if the event comes later.
     *
     * @param name     the name of the event and of its gate
     * @param type     the name of the class that the job's code asks for, which people are shown
     * @param patience how long to wait, from the first call on
     */
    EventAnswer awaitEvent(RunId run, String name, String type, Duration patience);

    /**
     * Keeps an event for a job that has not ended.
     *
     * @param value as JSON
     * @param act   written to the audit log along with it; null if it was no operator
     * @return Stale if the job has ended, has had this event before, or waited for it until its time was over
     */
    WriteResult signal(JobId job, String name, String value, @Nullable OperatorAct act);

    /** What is known of an event. */
    sealed interface EventAnswer {
        /** It has come. */
        record Here(String value) implements EventAnswer {}

        /** It has not come in time. */
        record Over() implements EventAnswer {}

        /** It may still come. */
        record NotYet() implements EventAnswer {}

        /** The run does not hold the lease any more. */
        record LeaseLost() implements EventAnswer {}
    }

    /**
     * Looks at gates where something has happened: lets jobs go on whose gate is open, and cancels children that nobody
     * waits for any more. Fails jobs whose {@linkplain dev.treadle.job.JobTraits#withDeadline deadline} has passed, and
     * asks those that run to end.
     *
     * @param max most gates to look at, 1 to {@link StorageProvider#BATCH_MAX}
     */
    Opening open(int max);

    /** What became of a write that a run made. */
    sealed interface Answer {
        /** The gate as it stands now. */
        record Written(Gate gate) implements Answer {}

        /** The run does not hold the lease any more: nothing was written. */
        record LeaseLost() implements Answer {}
    }

    /**
     * What {@link #open} has done.
     *
     * @param more    whether there is more to look at now
     * @param resumed how many jobs may go on
     */
    record Opening(boolean more, int resumed) {}
}
