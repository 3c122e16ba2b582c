package dev.treadle.simulation;

import dev.treadle.job.JobId;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.RecurringStorage;
import dev.treadle.storage.StorageProvider;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Storage calls as the trace tells them. */
final class Words {
    private Words() {}

    static String verb(Op op) {
        return op.name().toLowerCase(Locale.ROOT);
    }

    /** Whether an answer says that nothing was there and nothing was done. */
    static boolean isNothing(Object answer) {
        if (answer instanceof StorageProvider.Promotion promotion) {
            return promotion.moved() == 0;
        }
        if (answer instanceof RecurringStorage.DueNow due) {
            return due.found().isEmpty();
        }
        return answer instanceof Collection<?> all && all.isEmpty() || answer.equals(0);
    }

    static String of(Object answer, Ledger ledger) {
        if (answer instanceof Collection<?> all) {
            return all.stream().map(one -> of(one, ledger)).collect(Collectors.joining(" "));
        }
        if (answer instanceof Lease lease) {
            return lease(lease, ledger);
        }
        if (answer instanceof JobId id) {
            return ledger.nameOf(id) + " is there";
        }
        if (answer instanceof StorageProvider.Promotion promotion) {
            return promotion.moved() + " jobs";
        }
        if (answer instanceof RecurringStorage.DueNow due) {
            return due.found().size() + " recurring";
        }
        if (answer instanceof WriteResult) {
            return answer.getClass().getSimpleName().toLowerCase(Locale.ROOT);
        }
        return answer.toString();
    }

    static String jobs(List<NewJob> jobs, Ledger ledger) {
        return jobs.stream()
                .map(job -> ledger.nameOf(job.id()) + " " + kind(job))
                .collect(Collectors.joining(", "));
    }

    private static String kind(NewJob job) {
        String arguments = job.invocation().arguments();
        return arguments.substring(arguments.indexOf(':') + 2, arguments.length() - 2);
    }

    static String endings(List<Transition> endings, Ledger ledger) {
        return endings.stream()
                .map(ending ->
                        lease(ending.lease(), ledger) + " " + ending.getClass().getSimpleName() + " " + ending.event())
                .collect(Collectors.joining(", "));
    }

    private static String lease(Lease lease, Ledger ledger) {
        return ledger.nameOf(lease.job().id()) + "#" + lease.token();
    }
}
