package dev.treadle.simulation;

import dev.treadle.lifecycle.RecurringJob;
import dev.treadle.storage.RecurringStorage;
import dev.treadle.storage.StorageProvider;
import java.util.List;
import java.util.Set;

/** Mistakes with recurring jobs. */
final class BrokenRecurring {
    private BrokenRecurring() {}

    /** Moves on whatever the row's version is: no version in the condition. */
    static final class IgnoresVersions extends ForwardingStorage {
        IgnoresVersions(StorageProvider inner) {
            super(inner);
        }

        @Override
        public RecurringStorage recurring() {
            return new ForwardingRecurring(inner.recurring(), this::call) {
                @Override
                public Set<String> advance(List<Advance> advances) {
                    return inner.advance(advances.stream().map(this::anyVersion).toList());
                }

                private Advance anyVersion(Advance advance) {
                    RecurringJob found = inner.find(advance.seen().id()).orElseThrow();
                    return new Advance(found, advance.progress(), advance.jobs());
                }
            };
        }
    }

    /** Moves on in one transaction and inserts in another, which may not come to it. */
    static final class MovesOnFirst extends ForwardingStorage {
        private int moves;

        MovesOnFirst(StorageProvider inner) {
            super(inner);
        }

        @Override
        public RecurringStorage recurring() {
            return new ForwardingRecurring(inner.recurring(), this::call) {
                @Override
                public Set<String> advance(List<Advance> advances) {
                    return ++moves % 5 > 0
                            ? inner.advance(advances)
                            : inner.advance(advances.stream()
                                    .map(advance -> new Advance(advance.seen(), advance.progress(), List.of()))
                                    .toList());
                }
            };
        }
    }
}
