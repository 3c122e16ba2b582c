package dev.treadle.contracts.storage;

import dev.treadle.storage.StorageProvider;
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
public abstract class AllStorageContracts {
    /** For subclasses. */
    protected AllStorageContracts() {}

    /** See {@link StorageContract#emptyStorage()}. */
    protected abstract StorageProvider emptyStorage() throws Exception;

    @Nested
    class Search extends SearchContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class Audit extends AuditContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class Minute extends MinuteContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class KeyedAct extends KeyedActContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class Insert extends InsertContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class Many extends ManyContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class Text extends TextContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class Claim extends ClaimContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class BornLeased extends BornLeasedContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class Count extends CountContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class Complete extends CompleteContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class Fail extends FailContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class GiveBack extends GiveBackContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class Lease extends LeaseContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class Park extends ParkContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class Schedule extends ScheduleContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class Rescue extends RescueContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class Node extends NodeContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class Operator extends OperatorContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class Query extends QueryContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class Lanes extends LaneContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class Pause extends PauseContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class Race extends RaceContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class MaintenanceRace extends MaintenanceRaceContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class CancelRace extends CancelRaceContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class RunAgainRace extends RunAgainRaceContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class Mailbox extends MailboxContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class Stop extends StopContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class Limit extends LimitContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class Notes extends NotesContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class KeyRace extends KeyRaceContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class Result extends ResultContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class Unique extends UniqueContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class UniqueRace extends UniqueRaceContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class Retention extends RetentionContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }

    @Nested
    class Recurring extends RecurringContract {
        @Override
        protected StorageProvider emptyStorage() throws Exception {
            return AllStorageContracts.this.emptyStorage();
        }
    }
}
