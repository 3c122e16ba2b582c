package dev.treadle.storage.sql.session;

import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Trigger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The table of transitions as SQL files need it, so that none of them spells a state or a transition by itself:
 *
 * <ul>
 *   <li><code>${FAILED}</code>: the code of a state
 *   <li><code>${event:THREW}</code>: the code of an event
 *   <li><code>${from:CLAIM}</code>, <code>${to:CLAIM}</code>: the tables that a job leaves and enters
 *   <li><code>${moves:CLAIM}</code>: the columns of the tally that count it, first the state that the job leaves
 *   <li><code>${attempt:CLAIM}</code>: the number of attempts afterwards
 * </ul>
 *
 * The last three are there for triggers that start from one state, or from none.
 */
final class TransitionText {
    private TransitionText() {}

    /** Every fragment by its name. */
    static Map<String, String> fragments() {
        Map<String, String> fragments = new HashMap<>();
        for (StateName state : StateName.values()) {
            fragments.put(state.name(), String.valueOf(state.code()));
        }
        for (Event event : Event.values()) {
            fragments.put("event:" + event.name(), String.valueOf(event.code()));
        }
        for (Trigger trigger : Trigger.values()) {
            List<StateName> from = Arrays.stream(StateName.values())
                    .filter(trigger::isAllowedIn)
                    .toList();
            if (from.size() <= 1) {
                add(fragments, trigger, from);
            }
        }
        return fragments;
    }

    private static void add(Map<String, String> fragments, Trigger trigger, List<StateName> from) {
        StateName to = trigger.to();
        List<String> moves = new ArrayList<>();
        for (StateName left : from) {
            moves.add(column(left));
            put(fragments, "from:" + trigger, table(left));
        }
        if (to != null) {
            moves.add(column(to));
            put(fragments, "to:" + trigger, table(to));
        }
        fragments.put("moves:" + trigger, String.join(", ", moves));
        fragments.put(
                "attempt:" + trigger,
                from.isEmpty()
                        ? String.valueOf(trigger.attempts().after(0))
                        : switch (trigger.attempts()) {
                            case KEPT -> "attempt";
                            case COUNTED -> "attempt + 1";
                            case UNCOUNTED -> "attempt - 1";
                            case RESET -> "0";
                        });
    }

    private static void put(Map<String, String> fragments, String name, @Nullable String value) {
        if (value != null) {
            fragments.put(name, value);
        }
    }

    /** Where the tally counts the jobs of a state. */
    private static String column(StateName state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    /** Where a job in a state has its row; null if it has ended. */
    private static @Nullable String table(StateName state) {
        return switch (state) {
            case SCHEDULED -> "treadle_deferred";
            case ENQUEUED -> "treadle_ready";
            case PROCESSING -> "treadle_lease";
            case PARKED -> "treadle_parked";
            case WAITING -> "treadle_waiting";
            case SUCCEEDED, FAILED, CANCELLED -> null;
        };
    }
}
