package dev.treadle.invoke;

import dev.treadle.admission.Resources;
import dev.treadle.outcome.NotesFlusher;
import dev.treadle.storage.NewJob;
import java.util.List;
import java.util.function.Consumer;

/**
 * What a running job reaches through its context.
 *
 * @param notebooks    writes down what jobs tell
 * @param stopActions  does what jobs want to be done when they are told to end
 * @param resources    holds the permits that jobs take for parts of themselves
 * @param transactions what the transactions of all runs share
 * @param children     makes the jobs that jobs spawn
 * @param kept         told of those after the commit that keeps them
 */
public record RunServices(
        NotesFlusher notebooks,
        StopActions stopActions,
        Resources resources,
        RunTransactions.Shared transactions,
        ChildJobs children,
        Consumer<List<NewJob>> kept) {}
