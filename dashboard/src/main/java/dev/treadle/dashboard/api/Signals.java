package dev.treadle.dashboard.api;

import dev.treadle.dashboard.guard.User;
import dev.treadle.dashboard.web.Json;
import dev.treadle.dashboard.web.Problem;
import dev.treadle.job.JobResult;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Gate;
import dev.treadle.payload.JsonResults;
import dev.treadle.payload.UnreadableArgumentsException;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.storage.admin.JobSearch.EventSeen;
import dev.treadle.storage.admin.JobSearch.GateSeen;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Events that people give to jobs by hand. What does not fit is refused here, because it would park the job. */
final class Signals {
    private static final Logger LOG = LoggerFactory.getLogger(Signals.class);

    private final AdminStorage storage;
    private final JobRedactors redactors;
    private final ClassLoader code;
    private final Json json;
    private final JsonResults values = new JsonResults(JobResult.RESULT_BYTES_MAX);

    /** @param code where the classes of events may be */
    Signals(AdminStorage storage, JobRedactors redactors, ClassLoader code, Json json) {
        this.storage = storage;
        this.redactors = redactors;
        this.code = code;
        this.json = json;
    }

    /** What is signalled: an event as JSON, and why. */
    record Order(@Nullable String value, @Nullable String why) {}

    /** What the event was taken for; {@code checked} if it was read as that, and not only as JSON. */
    record Done(String type, boolean checked) {}

    Done signal(Gate gate, Order order, User user) {
        EventSeen event = event(gate);
        if (event == null) {
            throw new Problem(
                    409,
                    "no-event",
                    "No event is awaited",
                    "This gate counts jobs: nobody awaits an event there.",
                    "Look at the page of the job for the events that it awaits.");
        }
        String value = json(order.value());
        boolean checked = check(value, event.type());
        OperatorNote note =
                new OperatorNote(user.name(), order.why() == null || order.why().isBlank() ? null : order.why());
        String name = redactors.of(gate.waiter()).text(gate.name());
        OperatorAct act = new OperatorAct("SIGNAL", note, "the event " + name + " of job " + gate.waiter());
        WriteResult result = storage.runs().gates().signal(gate.waiter(), gate.name(), value, act);
        if (result instanceof WriteResult.Missing) {
            throw Problem.notFound("There is no such job. It may have been deleted.");
        }
        if (result instanceof WriteResult.Stale stale) {
            throw refused(event(gate), stale.found());
        }
        return new Done(event.type(), checked);
    }

    private @Nullable EventSeen event(Gate gate) {
        List<GateSeen> all = storage.search().gates(List.of(gate.waiter()), 0, StorageProvider.BATCH_MAX);
        return all.stream()
                .filter(seen -> seen.gate().id().equals(gate.id()))
                .findFirst()
                .map(GateSeen::event)
                .orElse(null);
    }

    private static Problem refused(@Nullable EventSeen now, @Nullable StateName state) {
        String detail = "The job has ended: it is " + state + ".";
        String fix = "Nobody waits for the event any more.";
        if (now != null && now.over()) {
            detail = "The time of this event is over, and stays over.";
            fix = "The job went on without it. Run it from the start to have it await the event again.";
        } else if (now != null && now.here()) {
            detail = "This event has come before, and the first one counts.";
            fix = "Look again: the job goes on by itself.";
        }
        return new Problem(409, "moved-on", "The job moved on", detail, fix);
    }

    /** The text, if it is JSON that may be kept. */
    private String json(@Nullable String given) {
        if (given == null || given.isBlank()) {
            throw Problem.bad("The event is missing: give its value as JSON, such as true, \"YES\" or {\"cents\": 5}.");
        }
        byte[] bytes = given.strip().getBytes(StandardCharsets.UTF_8);
        json.demandValue(bytes);
        if (given.strip().equals("null")) {
            throw Problem.bad("The event is null, which no job can await. Give a value.");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /**
     * Whether the class of the event is known here and the value was read as it. Only plain values are made: the name of
     * the class comes from the storage.
     */
    private boolean check(String value, String type) {
        Class<?> known;
        try {
            known = Class.forName(type, false, code);
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
        boolean isPlain = known.isRecord()
                || known.isEnum()
                || known == String.class
                || known == Boolean.class
                || Number.class.isAssignableFrom(known);
        if (!isPlain) {
            return false;
        }
        try {
            if (values.read(value, known) != null) {
                return true;
            }
        } catch (UnreadableArgumentsException e) {
            LOG.debug("An event that was given by hand does not fit.", e);
        }
        throw new Problem(
                400,
                "does-not-fit",
                "The event does not fit",
                "The job's code asks for " + type + ", and this JSON cannot be read as that." + hint(known),
                "Give JSON of that type. An event that does not fit would park the job.");
    }

    /** What would fit. */
    private static String hint(Class<?> type) {
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .map(constant -> '"' + ((Enum<?>) constant).name() + '"')
                    .collect(Collectors.joining(", ", " It is one of ", "."));
        }
        if (type.isRecord()) {
            return Arrays.stream(type.getRecordComponents())
                    .map(component -> '"' + component.getName() + "\": "
                            + component.getType().getSimpleName())
                    .collect(Collectors.joining(", ", " It is made of {", "}."));
        }
        return "";
    }
}
