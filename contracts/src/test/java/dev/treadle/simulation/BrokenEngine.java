package dev.treadle.simulation;

import dev.treadle.storage.StorageProvider;
import java.time.Instant;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Engines that are broken on purpose, and what each of them breaks. */
enum BrokenEngine implements Mutant {
    A_STALE_LEASE_COMPLETES(Set.of(Invariant.A_STALE_LEASE_NEVER_WRITES), BrokenStorages.IgnoresTokens::new, null),
    AN_INSERT_IS_FORGOTTEN(Set.of(Invariant.NOTHING_ACKNOWLEDGED_IS_LOST), BrokenStorages.Forgets::new, null),
    A_CLAIMED_JOB_STAYS_CLAIMABLE(Set.of(Invariant.NO_JOB_IS_GIVEN_TO_TWO), BrokenStorages.LeavesClaimable::new, null),
    A_JOB_IS_GIVEN_TWICE(
            Set.of(Invariant.NO_JOB_IS_GIVEN_TO_TWO, Invariant.NO_CLAIM_AFTER_SUCCESS),
            BrokenStorages.GivesTwice::new,
            null),
    LANES_ARE_IGNORED(Set.of(Invariant.A_JOB_RUNS_WHERE_IT_MAY), BrokenStorages.IgnoresLanes::new, null),
    PAUSES_ARE_IGNORED(Set.of(Invariant.A_PAUSED_QUEUE_STARTS_NOTHING), null, BrokenNodes.NeverPauses::new),
    A_SUCCESS_RUNS_AGAIN(Set.of(Invariant.NO_CLAIM_AFTER_SUCCESS), BrokenStorages.Revives::new, null),
    A_RESCUE_IS_NOT_COUNTED(Set.of(Invariant.ATTEMPTS_STAY_WITHIN_BOUNDS), null, BrokenNodes.RescuesForFree::new),
    ENDINGS_ARE_DROPPED(
            Set.of(
                    Invariant.EVERYTHING_REACHES_AN_END,
                    Invariant.A_LEASE_STARTS_AT_MOST_ONCE,
                    // what had begun under a lease that is adopted once more is given back as if it had not
                    Invariant.ATTEMPTS_STAY_WITHIN_BOUNDS),
            null,
            BrokenNodes.DropsEndings::new),
    LOST_CLAIMS_ARE_NOT_ADOPTED(Set.of(Invariant.EVERYTHING_REACHES_AN_END), null, BrokenNodes.NeverAdopts::new),
    THE_DEAD_GO_ON_CLAIMING(Set.of(Invariant.ONLY_THE_LIVING_CLAIM), null, BrokenNodes.FeelsAlive::new),
    THE_LIVING_ARE_RESCUED(
            Set.of(Invariant.A_CALM_CLUSTER_RESCUES_NOTHING, Invariant.NO_LIVING_NODE_IS_BURIED),
            null,
            BrokenNodes.Impatient::new),
    THE_CLOCK_JUDGES(Set.of(Invariant.NO_LIVING_NODE_IS_BURIED), null, BrokenNodes.JudgesByTheClock::new),
    A_LEASE_STARTS_TWICE(
            // of two that are handed over, one may run and the other be given back as if it had not begun
            Set.of(Invariant.A_LEASE_STARTS_AT_MOST_ONCE, Invariant.ATTEMPTS_STAY_WITHIN_BOUNDS),
            null,
            BrokenNodes.StartsTwice::new),
    RETRIES_NEVER_END(
            Set.of(Invariant.ATTEMPTS_STAY_WITHIN_BOUNDS, Invariant.WHAT_IS_WRITTEN_IS_WHAT_HAPPENED),
            null,
            BrokenNodes.NeverGivesUp::new),
    PARKED_JOBS_STAY_PARKED(Set.of(Invariant.EVERYTHING_REACHES_AN_END), null, BrokenNodes.NeverUnparks::new),
    DUE_JOBS_STAY_SCHEDULED(Set.of(Invariant.EVERYTHING_REACHES_AN_END), null, BrokenNodes.NeverPromotes::new),
    A_KEY_COUNTS_WRONG(Set.of(Invariant.A_KEY_LEASES_NO_MORE_THAN_IT_MAY), BrokenKeys.CountsWrong::new, null),
    A_KEY_IS_HELD_FOR_EVER(
            Set.of(Invariant.EVERYTHING_REACHES_AN_END, Invariant.NO_SLOT_IS_LOST), BrokenKeys.HoldsForEver::new, null),
    A_LINE_LOSES_ITS_ORDER(Set.of(Invariant.A_MAILBOX_KEEPS_ITS_ORDER), BrokenKeys.LosesTheOrder::new, null),
    A_RETRY_LETS_THE_NEXT_PASS(Set.of(Invariant.A_MAILBOX_KEEPS_ITS_ORDER), BrokenKeys.LetsPass::new, null),
    A_STEP_IS_FORGOTTEN(Set.of(Invariant.A_RECORDED_STEP_IS_DONE_ONCE), BrokenStorages.ForgetsSteps::new, null),
    WHAT_HAS_NOT_ENDED_IS_DELETED(
            Set.of(Invariant.ONLY_WHAT_HAS_ENDED_IS_DELETED), BrokenStorages.DeletesWhatWaits::new, null),
    TIME_IS_OVER_TOO_SOON(Set.of(Invariant.NO_TIME_IS_OVER_TOO_SOON), null, BrokenNodes.HurriesJobs::new),
    SNOOZES_ARE_COUNTED(
            Set.of(Invariant.WHAT_IS_WRITTEN_IS_WHAT_HAPPENED, Invariant.ATTEMPTS_STAY_WITHIN_BOUNDS),
            null,
            BrokenNodes.CountsSnoozes::new),
    A_RUN_THAT_HOLDS_ITS_LEASE_IS_STOPPED(
            Set.of(Invariant.ONLY_WHO_LOST_ITS_LEASE_IS_TOLD_SO, Invariant.WHAT_IS_WRITTEN_IS_WHAT_HAPPENED),
            null,
            BrokenNodes.StopsByJob::new),
    A_STOPPED_RUN_IS_SHOWN_FOR_EVER(Set.of(Invariant.EVERYTHING_REACHES_AN_END), null, BrokenNodes.NeverSaysEnded::new),
    A_SLOT_IS_DEALT_WITH_TWICE(Set.of(Invariant.EACH_SLOT_HAS_ONE_JOB), BrokenRecurring.IgnoresVersions::new, null),
    A_SLOT_IS_LOST(Set.of(Invariant.EACH_SLOT_HAS_ONE_JOB), null, BrokenRecurring.MovesOnFirst::new),
    A_TRANSACTION_IS_SEEN_TOO_SOON(Set.of(Invariant.UNSEEN_BEFORE_ITS_COMMIT), HeldBack.SeenTooSoon::new),
    A_ROLLBACK_COMMITS(Set.of(Invariant.A_ROLLBACK_LEAVES_NOTHING), HeldBack.OutlivesItsRollback::new),
    A_TRANSACTION_IS_COMMITTED_IN_PART(Set.of(Invariant.NOTHING_ACKNOWLEDGED_IS_LOST), HeldBack.CommitsInPart::new),
    A_GATE_OPENS_TOO_SOON(Set.of(Invariant.A_GATE_OPENS_WHEN_ITS_NEED_IS_MET), BrokenGates::opensTooSoon, null, true),
    A_GATE_OPENS_TWICE(Set.of(Invariant.A_GATE_OPENS_ONCE), BrokenGates::opensTwice, null, true),
    WHOEVER_WAITS_IS_WOKEN(Set.of(Invariant.A_GATE_OPENS_WHEN_ITS_NEED_IS_MET), BrokenGates::wakesAll, null, true),
    A_PART_IS_TAKEN_FOR_ALL(Set.of(Invariant.WHAT_IS_WRITTEN_IS_KEPT), BrokenGates::sealsTooSoon, null, true),
    WHO_LOST_ITS_LEASE_SPAWNS(Set.of(Invariant.EVERY_JOB_IS_IN_ONE_PLACE), BrokenGates::spawnsWithoutLease, null, true),
    LEAVES_OUTLIVE_THEIR_TREE(
            Set.of(Invariant.A_CANCELLED_TREE_HAS_NO_LIVING_LEAF), BrokenGates::sparesLeaves, null, true),
    WHAT_IS_WAITED_FOR_IS_CANCELLED(
            Set.of(Invariant.ONLY_WHAT_NOBODY_WAITS_FOR_IS_CANCELLED), BrokenGates::cancelsTooMuch, null, true),
    A_SIGNAL_IS_FORGOTTEN(Set.of(Invariant.AN_EVENT_COMES_ONCE), BrokenGates::forgetsSignals, null, true),
    THE_LAST_SIGNAL_COUNTS(Set.of(Invariant.AN_EVENT_COMES_ONCE), BrokenGates::takesTheLastSignal, null, true),
    NOBODY_LOOKS_AT_GATES(
            Set.of(Invariant.NOBODY_WAITS_FOR_WHAT_HAS_ENDED, Invariant.A_CANCELLED_TREE_HAS_NO_LIVING_LEAF),
            null,
            BrokenGates::neverLooks,
            true),
    RESULTS_ARE_MIXED_UP(
            Set.of(Invariant.A_JOIN_READS_WHAT_CHILDREN_RETURNED), null, BrokenGates.MixesResults::new, true),
    A_SUSPENSION_IS_A_SNOOZE(
            Set.of(Invariant.WHAT_IS_WRITTEN_IS_WHAT_HAPPENED), null, BrokenGates.CountsSuspensions::new, true),
    A_STEP_OF_A_TREE_IS_FORGOTTEN(
            Set.of(Invariant.A_RECORDED_STEP_IS_DONE_ONCE, Invariant.A_SLEEP_IS_SLEPT_ONCE),
            BrokenStorages.ForgetsSteps::new,
            null,
            true);

    private final Set<Invariant> broken;
    private final UnaryOperator<StorageProvider> below;
    private final UnaryOperator<StorageProvider> above;
    private final @Nullable Function<Instant, HeldBack> transactions;
    private final boolean trees;

    BrokenEngine(
            Set<Invariant> broken,
            @Nullable UnaryOperator<StorageProvider> below,
            @Nullable UnaryOperator<StorageProvider> above) {
        this(broken, below, above, false);
    }

    BrokenEngine(
            Set<Invariant> broken,
            @Nullable UnaryOperator<StorageProvider> below,
            @Nullable UnaryOperator<StorageProvider> above,
            boolean trees) {
        this.broken = broken;
        this.below = below == null ? UnaryOperator.identity() : below;
        this.above = above == null ? UnaryOperator.identity() : above;
        this.transactions = null;
        this.trees = trees;
    }

    BrokenEngine(Set<Invariant> broken, Function<Instant, HeldBack> transactions) {
        this.broken = broken;
        this.below = UnaryOperator.identity();
        this.above = UnaryOperator.identity();
        this.transactions = transactions;
        this.trees = false;
    }

    /** Which invariants it may break first. */
    Set<Invariant> broken() {
        return broken;
    }

    @Override
    public StorageProvider below(StorageProvider storage) {
        return below.apply(storage);
    }

    @Override
    public StorageProvider above(StorageProvider storage) {
        return above.apply(storage);
    }

    @Override
    public boolean trees() {
        return trees;
    }

    @Override
    public @Nullable Function<Instant, HeldBack> transactions() {
        return transactions;
    }
}
