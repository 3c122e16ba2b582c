package dev.treadle.spring.boot;

import dev.treadle.Treadle;
import dev.treadle.api.Queues;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.OperatorNote;
import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * The queues: {@code GET /actuator/treadle} lists them, {@code POST /actuator/treadle/mail} with
 * <code>{"action": "pause", "why": "the relay is down", "duration": "2h"}</code> pauses one, and with
 * <code>{"action": "resume"}</code> it runs again. Both are written to the audit log.
 */
@Endpoint(id = "treadle")
public class TreadleEndpoint {
    private static final String UNKNOWN = "actuator";

    private final Treadle treadle;

    TreadleEndpoint(Treadle treadle) {
        this.treadle = treadle;
    }

    /** What can be done to a queue. */
    public enum Action {
        /** No server takes jobs of it from now on. */
        PAUSE,
        /** Servers take its jobs again. */
        RESUME
    }

    /**
     * All queues.
     *
     * @param queues by name
     */
    public record QueuesDescriptor(List<QueueDescriptor> queues) {}

    /**
     * A queue.
     *
     * @param waiting     how many jobs wait, counted up to a limit of the storage
     * @param oldestWaits how long the first of them has waited; null if none waits
     * @param pause       null if it is not paused
     */
    public record QueueDescriptor(
            String queue,
            int waiting,
            @Nullable Duration oldestWaits,
            @Nullable PauseDescriptor pause) {}

    /**
     * A pause.
     *
     * @param why   null if no reason was given
     * @param until null if it lasts until the queue is resumed
     */
    public record PauseDescriptor(
            Instant since,
            String by,
            @Nullable String why,
            @Nullable Instant until) {}

    /** Lists the queues. */
    @ReadOperation
    public QueuesDescriptor queues() {
        return new QueuesDescriptor(treadle.queues().list().stream()
                .map(state -> new QueueDescriptor(
                        state.queue(),
                        state.waiting(),
                        state.oldestWaits(),
                        state.pause() == null
                                ? null
                                : new PauseDescriptor(
                                        state.pause().since(),
                                        state.pause().by(),
                                        state.pause().why(),
                                        state.pause().until())))
                .toList());
    }

    /**
     * Pauses or resumes a queue that is known.
     *
     * @param why      the reason; null for none
     * @param duration how long a pause lasts; null until the queue is resumed
     */
    @WriteOperation
    public QueuesDescriptor act(
            SecurityContext security,
            @Selector String queue,
            Action action,
            @Nullable String why,
            @Nullable Duration duration) {
        if (treadle.queues().list().stream().noneMatch(known -> known.queue().equals(queue))) {
            throw new InvalidEndpointRequestException(
                    "There is no queue '" + queue + "'. One is there from its first job on.", "unknown queue");
        }
        if (duration != null && (action == Action.RESUME || duration.isNegative() || duration.isZero())) {
            throw new InvalidEndpointRequestException(
                    "A duration says how long a pause lasts, such as 2h. It must be positive, and resume has none.",
                    "duration");
        }
        Principal principal = security.getPrincipal();
        OperatorNote note = new OperatorNote(principal == null ? UNKNOWN : principal.getName(), why);
        String target = "queue " + queue + (duration == null ? "" : " for " + duration.toSeconds() + " s");
        Queues audited = treadle.queues().audited(new OperatorAct(action.name(), note, target));
        if (action == Action.RESUME) {
            audited.resume(queue, note.by());
        } else if (duration == null) {
            audited.pause(queue, note.by(), note.why());
        } else {
            audited.pause(queue, note.by(), note.why(), duration);
        }
        return queues();
    }
}
