package dev.treadle.contracts.storage;

import org.junit.jupiter.api.Nested;

/**
 * Everything a storage must do. A storage is done when this passes on it:
 *
 * <pre>{@code
 * class MyStorageTest extends AllStorageContracts {
 *     @Override
 *     protected StorageProvider emptyStorage() {
 *         return new MyStorageProvider(…); // without jobs and nodes
 *     }
 * }
 * }</pre>
 *
 * Each topic is a nested class; {@code @BeforeAll}, {@code @AfterEach} and the like of the subclass hold for all.
 */
public abstract class AllStorageContracts extends StorageFactory {
    /** For subclasses. */
    protected AllStorageContracts() {}

    @Nested
    class Search extends SearchContract {}

    @Nested
    class Audit extends AuditContract {}

    @Nested
    class Minute extends MinuteContract {}

    @Nested
    class KeyedAct extends KeyedActContract {}

    @Nested
    class Insert extends InsertContract {}

    @Nested
    class Many extends ManyContract {}

    @Nested
    class Transaction extends TransactionContract {}

    @Nested
    class Text extends TextContract {}

    @Nested
    class Claim extends ClaimContract {}

    @Nested
    class BornLeased extends BornLeasedContract {}

    @Nested
    class Count extends CountContract {}

    @Nested
    class Complete extends CompleteContract {}

    @Nested
    class Fail extends FailContract {}

    @Nested
    class GiveBack extends GiveBackContract {}

    @Nested
    class Lease extends LeaseContract {}

    @Nested
    class Park extends ParkContract {}

    @Nested
    class Schedule extends ScheduleContract {}

    @Nested
    class Rescue extends RescueContract {}

    @Nested
    class Node extends NodeContract {}

    @Nested
    class Operator extends OperatorContract {}

    @Nested
    class Query extends QueryContract {}

    @Nested
    class Lanes extends LaneContract {}

    @Nested
    class Pause extends PauseContract {}

    @Nested
    class Race extends RaceContract {}

    @Nested
    class MaintenanceRace extends MaintenanceRaceContract {}

    @Nested
    class CancelRace extends CancelRaceContract {}

    @Nested
    class RunAgainRace extends RunAgainRaceContract {}

    @Nested
    class Mailbox extends MailboxContract {}

    @Nested
    class Stop extends StopContract {}

    @Nested
    class Limit extends LimitContract {}

    @Nested
    class Notes extends NotesContract {}

    @Nested
    class KeyRace extends KeyRaceContract {}

    @Nested
    class Result extends ResultContract {}

    @Nested
    class Step extends StepContract {}

    @Nested
    class Gates extends GateContract {}

    @Nested
    class GateRace extends GateRaceContract {}

    @Nested
    class After extends AfterContract {}

    @Nested
    class AfterRace extends AfterRaceContract {}

    @Nested
    class Batch extends BatchContract {}

    @Nested
    class Event extends EventContract {}

    @Nested
    class GateSearch extends GateSearchContract {}

    @Nested
    class Deadline extends DeadlineContract {}

    @Nested
    class Unique extends UniqueContract {}

    @Nested
    class UniqueRace extends UniqueRaceContract {}

    @Nested
    class Retention extends RetentionContract {}

    @Nested
    class Recurring extends RecurringContract {}
}
