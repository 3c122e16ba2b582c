package dev.treadle.simulation;

import dev.treadle.job.JobId;
import dev.treadle.job.JoinRule;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Completion;
import dev.treadle.lifecycle.Lifecycle;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Transition;
import dev.treadle.lifecycle.Trigger;
import dev.treadle.storage.GateStorage;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.RunStorage;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Storages and nodes that each do one thing wrong where jobs are made of jobs. */
final class BrokenGates extends ForwardingStorage {
    private static final OperatorNote NOTE = new OperatorNote("a broken storage", null);

    private final Function<StorageProvider, GateStorage> gates;

    private BrokenGates(StorageProvider inner, Function<StorageProvider, GateStorage> gates) {
        super(inner);
        this.gates = gates;
    }

    @Override
    public RunStorage runs() {
        return new ForwardingRuns(inner.runs(), this::call) {
            @Override
            public GateStorage gates() {
                return gates.apply(BrokenGates.this.inner);
            }
        };
    }

    /** Its gates, by way of nothing. */
    private abstract static class Wrong extends ForwardingGates {
        final StorageProvider storage;

        Wrong(StorageProvider storage) {
            super(storage.runs().gates(), direct());
            this.storage = storage;
        }

        private static ForwardingRuns.Caller direct() {
            return new ForwardingRuns.Caller() {
                @Override
                public <T> T call(Op op, Supplier<T> real) {
                    return real.get();
                }
            };
        }

        final List<JobId> in(StateName state, Collection<JobId> ids) {
            Map<JobId, StateName> states = storage.queries().states(ids);
            return ids.stream().filter(id -> states.get(id) == state).toList();
        }
    }

    /** The first success is enough, whatever was asked for. */
    static StorageProvider opensTooSoon(StorageProvider storage) {
        return new BrokenGates(storage, inner -> new Wrong(inner) {
            @Override
            public Answer await(RunId run, String name, JoinRule rule) {
                return super.await(run, name, JoinRule.ANY_SUCCEEDS);
            }
        });
    }

    /** Who was let go on once is let go on again, although it has ended. */
    static StorageProvider opensTwice(StorageProvider storage) {
        Set<JobId> waiters = new LinkedHashSet<>();
        return new BrokenGates(storage, inner -> new Wrong(inner) {
            @Override
            public Answer await(RunId run, String name, JoinRule rule) {
                waiters.add(run.job());
                return super.await(run, name, rule);
            }

            @Override
            public Opening open(int max) {
                Opening opening = super.open(max);
                in(StateName.SUCCEEDED, waiters).forEach(id -> storage.runAgain(id, NOTE));
                return opening;
            }
        });
    }

    /** Whoever waits goes on when anything happens. */
    static StorageProvider wakesAll(StorageProvider storage) {
        Set<JobId> waiters = new LinkedHashSet<>();
        return new BrokenGates(storage, inner -> new Wrong(inner) {
            @Override
            public Answer await(RunId run, String name, JoinRule rule) {
                waiters.add(run.job());
                return super.await(run, name, rule);
            }

            @Override
            public Opening open(int max) {
                in(StateName.WAITING, waiters).forEach(id -> {
                    storage.cancel(id, NOTE);
                    storage.runAgain(id, NOTE);
                });
                return super.open(max);
            }
        });
    }

    /** The first part of the children is taken for all of them. */
    static StorageProvider sealsTooSoon(StorageProvider storage) {
        return new BrokenGates(storage, inner -> new Wrong(inner) {
            @Override
            public Answer spawn(RunId run, String name, long from, List<NewJob> children, boolean last) {
                return super.spawn(run, name, from, children, true);
            }
        });
    }

    /** A run that has lost its lease goes on spawning. */
    static StorageProvider spawnsWithoutLease(StorageProvider storage) {
        return new BrokenGates(storage, inner -> new Wrong(inner) {
            @Override
            public Answer spawn(RunId run, String name, long from, List<NewJob> children, boolean last) {
                Answer answer = super.spawn(run, name, from, children, last);
                if (answer instanceof Answer.LeaseLost) {
                    storage.insert(children);
                }
                return answer;
            }
        });
    }

    /** What was cancelled with its tree is brought back. */
    static StorageProvider sparesLeaves(StorageProvider storage) {
        Set<JobId> spawned = new LinkedHashSet<>();
        return new BrokenGates(storage, inner -> new Wrong(inner) {
            @Override
            public Answer spawn(RunId run, String name, long from, List<NewJob> children, boolean last) {
                children.forEach(child -> spawned.add(child.id()));
                return super.spawn(run, name, from, children, last);
            }

            @Override
            public Opening open(int max) {
                // those in the queue: nobody sees that they come back to it
                Set<JobId> before = new HashSet<>(in(StateName.ENQUEUED, spawned));
                Opening opening = super.open(max);
                in(StateName.CANCELLED, before).forEach(id -> storage.runAgain(id, NOTE));
                return opening;
            }
        });
    }

    /** Cancels one child too many: one that somebody waits for. */
    static StorageProvider cancelsTooMuch(StorageProvider storage) {
        Set<JobId> spawned = new LinkedHashSet<>();
        return new BrokenGates(storage, inner -> new Wrong(inner) {
            @Override
            public Answer spawn(RunId run, String name, long from, List<NewJob> children, boolean last) {
                children.forEach(child -> spawned.add(child.id()));
                return super.spawn(run, name, from, children, last);
            }

            @Override
            public Opening open(int max) {
                Opening opening = super.open(max);
                if (opening.resumed() > 0) {
                    in(StateName.ENQUEUED, spawned).stream().limit(1).forEach(id -> storage.cancel(id, NOTE));
                }
                return opening;
            }
        });
    }

    /** Says that a signal is kept, and forgets it. */
    static StorageProvider forgetsSignals(StorageProvider storage) {
        return new BrokenGates(storage, inner -> new Wrong(inner) {
            @Override
            public WriteResult signal(JobId job, String name, String value, @Nullable OperatorAct act) {
                StateName state = storage.queries().states(List.of(job)).get(job);
                return state == null || state.isFinal() ? super.signal(job, name, value, act) : WriteResult.WRITTEN;
            }
        });
    }

    /** The last signal counts, not the first. */
    static StorageProvider takesTheLastSignal(StorageProvider storage) {
        Map<String, String> last = new HashMap<>();
        return new BrokenGates(storage, inner -> new Wrong(inner) {
            @Override
            public WriteResult signal(JobId job, String name, String value, @Nullable OperatorAct act) {
                last.put(job + name, value);
                return super.signal(job, name, value, act);
            }

            @Override
            public EventAnswer awaitEvent(RunId run, String name, String type, Duration patience) {
                EventAnswer answer = super.awaitEvent(run, name, type, patience);
                return answer instanceof EventAnswer.Here here
                        ? new EventAnswer.Here(last.getOrDefault(run.job() + name, here.value()))
                        : answer;
            }
        });
    }

    /** A node that never looks at gates. */
    static StorageProvider neverLooks(StorageProvider storage) {
        return new BrokenGates(storage, inner -> new Wrong(inner) {
            @Override
            public Opening open(int max) {
                return new Opening(false, 0);
            }
        });
    }

    /** A node that takes the result of one child for that of another. */
    static final class MixesResults extends ForwardingStorage {
        MixesResults(StorageProvider inner) {
            super(inner);
        }

        private final List<Completion> seen = new ArrayList<>();

        @Override
        public RunStorage runs() {
            return new ForwardingRuns(inner.runs(), this::call) {
                @Override
                public Map<JobId, Completion> endings(Collection<JobId> ids) {
                    Map<JobId, Completion> endings = new HashMap<>(inner.endings(ids));
                    endings.replaceAll((id, how) -> seen.isEmpty() || how.result() == null ? how : seen.get(0));
                    seen.addAll(inner.endings(ids).values());
                    seen.removeIf(how -> how.result() == null);
                    return endings;
                }
            };
        }
    }

    /** A node that takes waiting for an attempt. */
    static final class CountsSuspensions extends ForwardingStorage {
        CountsSuspensions(StorageProvider inner) {
            super(inner);
        }

        @Override
        public List<WriteResult> record(List<Transition> endings) {
            return inner.record(endings.stream()
                    .map(ending -> ending.trigger() == Trigger.SUSPEND
                            ? Lifecycle.end(ending.lease(), Trigger.SNOOZE, ending.details(), Duration.ofMillis(100))
                            : ending)
                    .toList());
        }
    }
}
