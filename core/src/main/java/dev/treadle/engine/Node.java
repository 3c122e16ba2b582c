package dev.treadle.engine;

import dev.treadle.admission.HeapGuard;
import dev.treadle.admission.Resources;
import dev.treadle.claim.Claimer;
import dev.treadle.claim.Lanes;
import dev.treadle.claim.PollPolicy;
import dev.treadle.dispatch.Deadlines;
import dev.treadle.dispatch.Dispatcher;
import dev.treadle.dispatch.HeapGate;
import dev.treadle.dispatch.InFlight;
import dev.treadle.dispatch.LocalQueues;
import dev.treadle.dispatch.ResourceGate;
import dev.treadle.dispatch.StopReader;
import dev.treadle.invoke.JobRun;
import dev.treadle.invoke.StopActions;
import dev.treadle.job.Due;
import dev.treadle.job.EnqueueResult;
import dev.treadle.job.JobId;
import dev.treadle.job.KeyRule;
import dev.treadle.job.Lane;
import dev.treadle.job.ResourceUse;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Transition;
import dev.treadle.maintenance.Heartbeat;
import dev.treadle.maintenance.NodeMetrics;
import dev.treadle.maintenance.OrphanRescuer;
import dev.treadle.maintenance.Promoter;
import dev.treadle.maintenance.RecurringTicker;
import dev.treadle.maintenance.RetentionWalk;
import dev.treadle.maintenance.UniqueNameCleaner;
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
import dev.treadle.storage.RunId;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.UniqueJobs;
import dev.treadle.watch.JobEvents;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All chores of one node, each as a turn with no clock, sleep or thread of its own. {@link JobServer} drives the turns
 * with loops; a simulation drives those of a whole cluster one by one. Each chore is for one thread at a time.
 */
public final class Node {
    /** The longest rest of chores to which the {@link WorkPoller} tells when there is something to do. */
    private static final Duration UNLESS_EXPECTED = Duration.ofSeconds(30);

    private final NodeInfo self;
    private final StorageProvider storage;
    private final Nudges nudges;
    private final StopActions stopActions;
    private final Deadlines deadlines;
    private final InFlight inFlight;
    private final StopReader stopReader;
    private final NotesFlusher notebooks;
    private final ExecutionConfig border;
    private final QueueSelection serving;
    private final Resources resources;
    private final LocalQueues lines;
    private final WorkPoller lookout;
    private final Lanes lanes;
    private final Recording recording;
    private final Dispatcher dispatcher;
    private final NodeMetrics gauge;
    private final Heartbeat heartbeat;
    private final OrphanRescuer rescuer;
    private final Promoter promoter;
    private final RecurringTicker ticker;
    private final Unparker unparker;
    private final UniqueNameCleaner tidier;
    private final RetentionWalk retention;
    private final @Nullable HeapGuard heapGuard;
    private volatile boolean stopping;

    /** Wires the node; nothing runs before its turns are taken. */
    public Node(
            StorageProvider storage,
            NodeInfo self,
            ExecutionConfig border,
            JobServerSettings settings,
            Nudges nudges,
            Environment world) {
        this.self = self.withDeadAfter(settings.deadAfter());
        this.border = border;
        this.storage = storage;
        this.nudges = nudges;
        this.stopActions = new StopActions(border.stopThreads());
        this.deadlines = new Deadlines(world.time(), stopActions, nudges.deadlines());
        this.inFlight = new InFlight(deadlines);
        this.stopReader = new StopReader(storage.runs(), self.id(), inFlight, stopActions, world.time());
        this.notebooks = new NotesFlusher(storage.runs(), world.time(), nudges.notes());
        this.serving = QueueSelection.of(settings);
        this.resources = Admission.resources(settings);
        this.lines = border.crews().lines(serving, world.time());
        this.lookout = new WorkPoller(storage, settings.pollMax(), world.time(), nudges.look());
        this.lanes =
                new Lanes(storage.queues(), serving::serves, world.time(), lookout::isNotified, this::jobsBecameDue);
        NextState next = new NextState(settings.retries());
        Duration deadAfter = settings.deadAfter();
        this.gauge = new NodeMetrics(
                world.time(), world.machine(), lines::running, () -> NodeWords.of(serving, admitted(), resources()));
        this.heartbeat = new Heartbeat(storage, () -> gauge.of(this.self), deadAfter, world.time(), world.wall());
        DoubleSupplier random = world.random()::nextDouble;
        this.recording = new Recording(storage, new Settled(), nudges.record(), nudges.keyed());
        Claimer claimer = new Claimer(storage, self.id(), world.time(), deadAfter);
        this.dispatcher = new Dispatcher(
                new Dispatcher.ClaimSource(claimer, lanes, new PollPolicy(settings.pollMax())),
                new Dispatcher.LocalState(lines, inFlight, new ResourceGate(resources, nudges.dispatch())),
                new Dispatcher.Execution(
                        new JobRun(
                                border.invoker(),
                                border.options(),
                                world.time(),
                                () -> stopping,
                                new JobRun.RunServices(notebooks, stopActions, resources)),
                        next,
                        recording,
                        random,
                        JobEvents.ofThisJvm()),
                heartbeat::isSure,
                deadAfter,
                nudges.dispatch());
        this.rescuer = new OrphanRescuer(storage, self.id(), heartbeat, next, deadAfter, world.time(), random);
        Runnable heard = dispatcher::jobsBecameDue;
        this.promoter = new Promoter(storage, heard, UNLESS_EXPECTED, world.time(), nudges.promote());
        this.tidier = new UniqueNameCleaner(storage);
        this.ticker = new RecurringTicker(storage.recurring(), heard, UNLESS_EXPECTED, world.time(), nudges.recur());
        Duration third = Duration.ofNanos(deadAfter.toNanos() / 3);
        this.unparker = new Unparker(storage, self.id(), lanes::served, border.invoker()::knows, heard, third);
        this.retention = new RetentionWalk(storage, self.id(), settings.retention(), world.time());
        this.heapGuard = Admission.guard(settings, new HeapGate(lines, dispatcher), world.time());
    }

    /** Who this is. */
    public NodeInfo self() {
        return self;
    }

    /**
     * Keeps new jobs, and starts them here at once if this node knows them and nothing that is due waits.
     *
     * @return the ids that were there already
     */
    public Set<JobId> insert(List<NewJob> jobs) {
        Set<JobId> existing =
                DirectStartRule.all(jobs, serving, border.invoker()) ? dispatcher.insertAndStart(jobs) : null;
        if (existing == null) {
            existing = storage.insert(jobs);
            tellOf(jobs);
        }
        return existing;
    }

    /** They are kept, and wait to be claimed or promoted. */
    private void tellOf(List<NewJob> jobs) {
        Set<Lane> due = new LinkedHashSet<>();
        boolean rated = false;
        for (NewJob job : jobs) {
            if (job.due() instanceof Due.Now) {
                due.add(job.lane());
            }
            rated |= job.traits().key() instanceof KeyRule.Rate;
        }
        due.forEach(dispatcher::jobsBecameDue);
        if (due.isEmpty() || rated) {
            // those of a rate without room come when it has some, which may be before the next look
            nudges.promote().run();
        }
    }

    /** Inserts a unique job. */
    public EnqueueResult insertUnique(NewJob job, UniqueJobs.Asked asked) {
        EnqueueResult answer = storage.unique().insert(job, asked);
        if (answer.answer() == EnqueueResult.Answer.ENQUEUED || answer.answer() == EnqueueResult.Answer.REPLACED) {
            dispatcher.jobsBecameDue();
            nudges.promote().run();
        }
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

    /** Writes down how jobs without a key ended. */
    public Duration record() {
        return recording.plain().turn();
    }

    /** Writes down how jobs with a key ended. */
    public Duration recordKeyed() {
        return recording.keyed().turn();
    }

    /** Says that this node lives, and how. */
    public Duration beat() {
        return gauge.beaten(heartbeat.turn());
    }

    /** Gives the jobs of silent nodes another attempt. */
    public Duration rescue() {
        return rescuer.turn();
    }

    /** Makes due what has become due. */
    public Duration promote() {
        return promoter.turn();
    }

    /** Makes the jobs of recurring jobs that are due. */
    public Duration recur() {
        return ticker.turn();
    }

    /** Brings back parked jobs that can run here. */
    public Duration unpark() {
        return unparker.turn();
    }

    /** Lets the storage keep house, and forgets unique names that nobody holds any more. */
    public Duration tidy() {
        storage.tidy();
        return tidier.turn();
    }

    /** Deletes jobs that ended long ago. */
    public Duration retain() {
        return retention.turn();
    }

    /** Whether something guards the heap. */
    public boolean isHeapGuarded() {
        return heapGuard != null;
    }

    /** Admits as many jobs as the heap bears. */
    public Duration guardHeap() {
        return heapGuard == null ? Duration.ofDays(1) : heapGuard.turn();
    }

    /** How many jobs are admitted at once. */
    public ConcurrencyLimit admitted() {
        return Admission.limit(lines.total(), heapGuard);
    }

    /** Interrupts jobs whose time is over. */
    public Duration watchDeadlines() {
        return deadlines.turn();
    }

    /** Interrupts jobs that lost their lease. */
    public Duration readStops() {
        return stopReader.turn();
    }

    /** Writes down what running jobs tell. */
    public Duration writeNotes() {
        return notebooks.turn();
    }

    /** Tells all running jobs that the server stops, and interrupts them. */
    public void interruptAll() {
        inFlight.interruptAll(stopActions);
    }

    /** Looks whether there is anything to do for any chore. */
    public Duration look() {
        return lookout.turn(
                () -> lanes.know(() -> storage.outlook(self.id()), PendingWork::lanes),
                new PendingWorkRouter(storage, serving, lookout, dispatcher, promoter, ticker, stopReader)::test);
    }

    /** Looks for new lanes and for queues that were paused or resumed. */
    public void watch() {
        lanes.turn();
    }

    /** What the storage tells of what others make due. */
    public DueListener hearing() {
        return new NodeDueListener(serving, dispatcher, lookout, promoter);
    }

    /** What is claimed here and not yet written down. */
    public InFlight inFlight() {
        return inFlight;
    }

    /** How each resource of this node stands. */
    public List<ResourceUse> resources() {
        return resources.use();
    }

    /** How many endings wait to be written down. */
    public int unwritten() {
        return recording.waiting();
    }

    /** How queues and executors stand here. */
    public LocalQueues lines() {
        return lines;
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
        return lines.running();
    }

    /** Tells jobs that they should stop, and gives back what has not begun. Call when no dispatch turn is being taken. */
    public void stopDispatching() {
        stopping = true;
        dispatcher.close();
    }

    /** What happens around each write of endings, on the threads of both streams. */
    private final class Settled implements OutcomeRecorder.Listener {
        @Override
        public void before() {
            notebooks.writeOfEnded();
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
                // its end may have let the next of its key go on
                dispatcher.jobsBecameDue();
            }
            promoter.ended(ending);
            if (result instanceof WriteResult.Written) {
                gauge.ended(ending);
                lines.count(ending);
                border.written().accept(ending);
                border.options()
                        .interceptors()
                        .stateChanged(ending.lease().job().id(), ending.next(), ending.why());
            }
        }
    }
}
