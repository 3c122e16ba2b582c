package dev.treadle.simulation;

import dev.treadle.job.JobId;
import dev.treadle.job.KeyRule;
import dev.treadle.job.OperatorAct;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageProvider;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Storages that do with keys what they should not. */
final class BrokenKeys {
    private BrokenKeys() {}

    /** Lets one more go on than there is room for. */
    static final class CountsWrong extends Rewriting {
        CountsWrong(StorageProvider inner) {
            super(
                    inner,
                    rule -> rule instanceof KeyRule.Limit limit ? KeyRule.limit(limit.key(), limit.slots() + 1) : rule);
        }
    }

    /** Never gives back the slot of a job that awaits a retry or is parked. */
    static final class HoldsForEver extends Rewriting {
        HoldsForEver(StorageProvider inner) {
            super(
                    inner,
                    rule -> rule instanceof KeyRule.Limit limit && limit.slots() == 1
                            ? KeyRule.mailbox("limit " + limit.key())
                            : rule);
        }
    }

    /** Places the jobs of one call in any order. */
    static final class LosesTheOrder extends ForwardingStorage {
        LosesTheOrder(StorageProvider inner) {
            super(inner);
        }

        @Override
        public Set<JobId> insert(List<NewJob> jobs, @Nullable OperatorAct act) {
            List<NewJob> reversed = new ArrayList<>(jobs);
            Collections.reverse(reversed);
            return inner.insert(reversed, act);
        }
    }

    /** Lets the next of a mailbox pass while one awaits a retry. */
    static final class LetsPass extends Rewriting {
        LetsPass(StorageProvider inner) {
            super(inner, rule -> rule.isHeldThroughout() ? ((KeyRule.Mailbox) rule).skippingRetries() : rule);
        }
    }

    private static class Rewriting extends ForwardingStorage {
        private final UnaryOperator<KeyRule> change;

        Rewriting(StorageProvider inner, UnaryOperator<KeyRule> change) {
            super(inner);
            this.change = change;
        }

        @Override
        public Set<JobId> insert(List<NewJob> jobs, @Nullable OperatorAct act) {
            return inner.insert(jobs.stream().map(this::changed).toList(), act);
        }

        private NewJob changed(NewJob job) {
            KeyRule rule = job.traits().key();
            return rule == null
                    ? job
                    : new NewJob(
                            job.id(), job.invocation(), job.due(), job.traits().withKey(change.apply(rule)));
        }
    }
}
