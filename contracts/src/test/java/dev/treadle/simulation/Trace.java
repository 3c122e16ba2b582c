package dev.treadle.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** What happened in one world, in order: the last events for people, and a hash over all for comparing two runs. */
final class Trace {
    private final SimTime time;
    private final int keep;
    private final Deque<Event> last = new ArrayDeque<>();
    private long hash = 1;
    private int steps;

    /** @param keep how many events to remember */
    Trace(SimTime time, int keep) {
        this.time = time;
        this.keep = keep;
    }

    void add(String actor, String verb, Object detail) {
        Event event = new Event(++steps, time.nanos(), actor, verb, detail.toString());
        count(event);
        if (last.size() == keep) {
            last.removeFirst();
        }
        last.addLast(event);
    }

    /** Something so frequent that it is shown only where everything is. */
    void hum(String actor, String verb) {
        if (keep == Integer.MAX_VALUE) {
            add(actor, verb, "");
        } else {
            count(new Event(++steps, time.nanos(), actor, verb, ""));
        }
    }

    private void count(Event event) {
        hash = hash * 31 + event.nanos;
        hash = hash * 31 + event.actor.hashCode();
        hash = hash * 31 + event.verb.hashCode();
        hash = hash * 31 + event.detail.hashCode();
    }

    long hash() {
        return hash;
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>(last.size());
        last.forEach(event -> lines.add(event.line()));
        return lines;
    }

    private record Event(int step, long nanos, String actor, String verb, String detail) {
        String line() {
            return String.format("%6d %9.3fs  %-4s %-12s %s", step, nanos / 1e9, actor, verb, detail);
        }
    }
}
