package dev.treadle.engine;

import dev.treadle.admission.HeapGuard;
import dev.treadle.admission.Resources;
import dev.treadle.claim.Claimer;
import dev.treadle.claim.Lanes;
import dev.treadle.claim.PollPolicy;
import dev.treadle.dispatch.ClaimSource;
import dev.treadle.dispatch.Deadlines;
import dev.treadle.dispatch.Dispatcher;
import dev.treadle.dispatch.Execution;
import dev.treadle.dispatch.HeapGate;
import dev.treadle.dispatch.InFlight;
import dev.treadle.dispatch.LocalQueues;
import dev.treadle.dispatch.LocalState;
import dev.treadle.dispatch.ResourceGate;
import dev.treadle.dispatch.StopReader;
import dev.treadle.invoke.JobRun;
import dev.treadle.invoke.RunServices;
import dev.treadle.invoke.RunTransactions;
import dev.treadle.invoke.StopActions;
import dev.treadle.job.EnqueueResult;
import dev.treadle.job.JobId;
import dev.treadle.job.ResourceUse;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Transition;
import dev.treadle.lifecycle.UniqueTerms;
import dev.treadle.maintenance.Cleaner;
import dev.treadle.maintenance.GateOpener;
import dev.treadle.maintenance.Heartbeat;
import dev.treadle.maintenance.NodeMetrics;
import dev.treadle.maintenance.OrphanRescuer;
import dev.treadle.maintenance.Promoter;
import dev.treadle.maintenance.RecurringTicker;
import dev.treadle.maintenance.RetentionWalk;
import dev.treadle.maintenance.Unparker;
import dev.treadle.maintenance.WorkPoller;
import dev.treadle.outcome.NextState;
import dev.treadle.outcome.NotesFlusher;
import dev.treadle.outcome.OutcomeRecorder;
import dev.treadle.outcome.Recording;
import dev.treadle.server.ConcurrencyLimit;
import dev.treadle.server.JobServer;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.DueListener;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.PendingWork;
import dev.treadle.storage.StorageProvider;
import dev.treadle.watch.FailureLog;
import dev.treadle.watch.JobEvents;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All chores of one node, each as a turn with no clock, sleep or thread of its own. {@link JobServer} drives the turns
 * with loops; a simulation drives those of a whole cluster one by one. Each chore is for one thread at a time.
 */
public final class Node {
    /** The longest rest of a chore that the {@link WorkPoller} wakes when there is something to do. */
    private static final Duration REST_MAX = Duration.ofSeconds(30);

    private final NodeInfo self;
    private final StorageProvider storage;
    private final Nudges nudges;
    private final StopActions stopActions;
    private final Deadlines deadlines;
    private final InFlight inFlight;
    private final StopReader stopReader;
    private final NotesFlusher notesFlusher;
    private final ExecutionConfig execution;
    private final QueueSelection selection;
    private final Resources resources;
    private final LocalQueues localQueues;
    private final WorkPoller poller;
    private final Lanes lanes;
    private final Recording recording;
    private final Dispatcher dispatcher;
    private final NodeMetrics metrics;
    private final Heartbeat heartbeat;
    private final OrphanRescuer rescuer;
    private final Promoter promoter;
    private final NewWork newWork;
    private final RecurringTicker recurringTicker;
    private final GateOpener gateOpener;
    private final Unparker unparker;
    private final Cleaner cleaner;
    private final RetentionWalk retention;
    private final @Nullable HeapGuard heapGuard;
    private volatile boolean stopping;

    /** Wires the node; nothing runs before its turns are taken. */
    public Node(
            StorageProvider storage,
            NodeInfo self,
            ExecutionConfig execution,
            JobServerSettings settings,
            Nudges nudges,
            Environment environment) {
        this.self = self.withDeadAfter(settings.deadAfter());
        this.execution = execution;
        this.storage = storage;
        this.nudges = nudges;
        InstantSource time = environment.time();
        this.stopActions = new StopActions(execution.stopThreads());
        this.deadlines = new Deadlines(time, stopActions, nudges.deadlines());
        this.inFlight = new InFlight(deadlines);
        this.stopReader = new StopReader(storage.runs(), self.id(), inFlight, stopActions, time);
        this.notesFlusher = new NotesFlusher(storage.runs(), time, nudges.notes());
        this.selection = QueueSelection.of(settings);
        this.resources = Admission.resources(settings);
        this.localQueues = execution.pools().localQueues(selection, time);
        this.poller = new WorkPoller(storage, settings.pollMax(), time, nudges.look());
        this.lanes = new Lanes(storage::heads, selection::serves, time, poller::isNotified, this::jobsBecameDue);
        NextState next = new NextState(settings.retries());
        Duration deadAfter = settings.deadAfter();
        this.metrics = new NodeMetrics(
                time,
                environment.machine(),
                localQueues::running,
                () -> NodeWords.of(selection, admitted(), resources()));
        this.heartbeat = new Heartbeat(storage, () -> metrics.of(this.self), deadAfter, time, environment.wall());
        DoubleSupplier random = environment.random()::nextDouble;
        this.recording = new Recording(storage, new RecordingListener(), nudges.record(), nudges.keyed());
        Claimer claimer = new Claimer(storage, self.id(), time, deadAfter);
        this.dispatcher = new Dispatcher(
                new ClaimSource(claimer, lanes, new PollPolicy(settings.pollMax())),
                new LocalState(localQueues, inFlight, new ResourceGate(resources, nudges.dispatch())),
                new Execution(jobRun(time), next, recording, random, JobEvents.ofThisJvm(), new FailureLog(time)),
                heartbeat::isSure,
                deadAfter,
                nudges.dispatch());
        this.rescuer = new OrphanRescuer(storage, self.id(), heartbeat, next, deadAfter, time, random);
        Runnable jobsBecameDue = dispatcher::jobsBecameDue;
        this.promoter = new Promoter(storage, jobsBecameDue, REST_MAX, time, nudges.promote());
        this.cleaner = new Cleaner(storage);
        this.recurringTicker = new RecurringTicker(storage.recurring(), jobsBecameDue, REST_MAX, time, nudges.recur());
        this.gateOpener = new GateOpener(storage.runs().gates(), jobsBecameDue, REST_MAX, time, nudges.gates());
        this.newWork = new NewWork(dispatcher, nudges.promote(), gateOpener::look);
        Duration third = Duration.ofNanos(deadAfter.toNanos() / 3);
        this.unparker =
                new Unparker(storage, self.id(), lanes::served, execution.invoker()::knows, jobsBecameDue, third);
        this.retention = new RetentionWalk(
                storage,
                self.id(),
                settings.retention().underNames(execution.invoker().names()::all),
                time);
        this.heapGuard = Admission.guard(settings, new HeapGate(localQueues, dispatcher), time);
    }

    private JobRun jobRun(InstantSource time) {
        return new JobRun(
                execution.invoker(),
                execution.options(),
                time,
                () -> stopping,
                new RunServices(
                        notesFlusher,
                        stopActions,
                        resources,
                        new RunTransactions.Shared(storage, execution.blocks(), this::jobsBecameDue),
                        execution.children(),
                        jobs -> newWork.announce(jobs)));
    }

    /** The identity of this node. */
    public NodeInfo self() {
        return self;
    }

    /**
     * Stores new jobs. Starts them here at once if this node knows what they call and no due job waits.
     *
     * @return the ids that existed already
     */
    public Set<JobId> insert(List<NewJob> jobs) {
        Set<JobId> existing =
                DirectStartRule.all(jobs, selection, execution.invoker()) ? dispatcher.insertAndStart(jobs) : null;
        if (existing == null) {
            existing = storage.insert(jobs);
            newWork.announce(jobs);
        }
        return existing;
    }

    /** Inserts a unique job. */
    public EnqueueResult insertUnique(NewJob job, UniqueTerms.Asked asked) {
        EnqueueResult answer = storage.insertUnique(job, asked);
        newWork.announce(answer);
        return answer;
    }

    /** Jobs may have become due; ends a rest of {@link #dispatch}. */
    public void jobsBecameDue() {
        dispatcher.jobsBecameDue();
    }

    /** Claims and starts jobs. */
    public Duration dispatch() {
        return dispatcher.turn();
    }

    /** Starts chunks for which more jobs may come; not to be called during a dispatch turn. */
    public void completeChunks() {
        dispatcher.completeChunks(true);
    }

    /** Records the endings of jobs without a key. */
    public Duration record() {
        return recording.plain().turn();
    }

    /** Records the endings of jobs with a key. */
    public Duration recordKeyed() {
        return recording.keyed().turn();
    }

    /** Writes the heartbeat, and the metrics with it. */
    public Duration beat() {
        return metrics.beaten(heartbeat.turn());
    }

    /** Buries silent nodes and rescues their jobs. */
    public Duration rescue() {
        return rescuer.turn();
    }

    /** Promotes scheduled jobs that have become due. */
    public Duration promote() {
        return promoter.turn();
    }

    /** Creates the jobs of due slots. */
    public Duration recur() {
        return recurringTicker.turn();
    }

    /** Lets jobs go on whose gate is open. */
    public Duration openGates() {
        return gateOpener.turn();
    }

    /** Something may have happened at a gate; ends a rest of {@link #openGates}. */
    public void lookAtGates() {
        gateOpener.look();
    }

    /** Brings back parked jobs that can run here. */
    public Duration unpark() {
        return unparker.turn();
    }

    /** Lets the storage tidy its tables, and forgets what is no longer needed. */
    public Duration tidy() {
        storage.tidy();
        return cleaner.turn();
    }

    /** Deletes jobs that ended long ago. */
    public Duration retain() {
        return retention.turn();
    }

    /** Whether this node has a heap guard. */
    public boolean isHeapGuarded() {
        return heapGuard != null;
    }

    /** Lets the heap guard adjust the concurrency limit. */
    public Duration guardHeap() {
        return heapGuard == null ? Duration.ofDays(1) : heapGuard.turn();
    }

    /** The concurrency limit. */
    public ConcurrencyLimit admitted() {
        return Admission.limit(localQueues.total(), heapGuard);
    }

    /** Interrupts runs that have outlived their timeout. */
    public Duration watchDeadlines() {
        return deadlines.turn();
    }

    /** Interrupts runs that have lost their lease. */
    public Duration readStops() {
        return stopReader.turn();
    }

    /** Writes the notes of running jobs. */
    public Duration writeNotes() {
        return notesFlusher.turn();
    }

    /** Tells all running jobs that the server stops, and interrupts them. */
    public void interruptAll() {
        inFlight.interruptAll(stopActions);
    }

    /** Asks the storage for pending work, and tells the chores about it. */
    public Duration look() {
        return poller.turn(
                this::watch,
                new PendingWorkRouter(
                                storage,
                                selection,
                                poller,
                                dispatcher,
                                promoter,
                                recurringTicker,
                                gateOpener,
                                stopReader)::route);
    }

    /** Asks what there is to do, and takes note of the lanes and of paused queues. */
    public PendingWork watch() {
        return lanes.look(() -> storage.outlook(self.id()));
    }

    /** Takes the storage's notifications about jobs that others have made due. */
    public DueListener dueListener() {
        return new NodeDueListener(selection, dispatcher, poller, promoter);
    }

    /** What this node has claimed and not yet recorded. */
    public InFlight inFlight() {
        return inFlight;
    }

    /** The state of each resource of this node. */
    public List<ResourceUse> resources() {
        return resources.use();
    }

    /** How many endings wait to be recorded. */
    public int unwritten() {
        return recording.waiting();
    }

    /** What this node holds of each queue. */
    public LocalQueues localQueues() {
        return localQueues;
    }

    /** How many of the queues that this node serves are paused, as far as it knows. */
    public int pausedQueues() {
        return lanes.pausedQueues();
    }

    /** Whether this node starts no job of this queue, as far as it knows. */
    public boolean isPaused(String queue) {
        return lanes.isPaused(queue);
    }

    /** How many jobs run now. */
    public int running() {
        return localQueues.running();
    }

    /** Tells running jobs to stop, and gives back those that have not begun. Not to be called during a dispatch turn. */
    public void stopDispatching() {
        stopping = true;
        dispatcher.close();
    }

    /** What happens around each write of endings, on the threads of both streams. */
    private final class RecordingListener implements OutcomeRecorder.Listener {
        @Override
        public void before() {
            notesFlusher.writeOfEnded();
        }

        @Override
        public void release(Transition ending) {
            dispatcher.recorded(ending.lease());
        }

        @Override
        public void settled(Transition ending, WriteResult result) {
            if (!(result instanceof WriteResult.Written)) {
                stopReader.endedWithoutLease(RunId.of(ending.lease()));
            }
            if (ending.lease().job().traits().key() != null) {
                // the ending may have freed a key slot
                dispatcher.jobsBecameDue();
            }
            promoter.ended(ending);
            gateOpener.ended(ending, result);
            if (result instanceof WriteResult.Written) {
                metrics.ended(ending);
                localQueues.count(ending);
                execution.tell(ending);
            }
        }
    }
}
