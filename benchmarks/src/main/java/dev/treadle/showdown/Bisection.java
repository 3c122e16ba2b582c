package dev.treadle.showdown;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the smallest size at which something works, if more never hurts. */
final class Bisection {
    private static final int STEP_LEAST = 2;
    /** Sizes closer than this part of themselves are taken for the same. */
    private static final int STEP_PART = 25;
    /** Near the limit luck decides: a size counts when so many runs have worked. */
    private static final int RUNS_THAT_CONFIRM = 2;

    private final int first;
    private final int min;
    private final int max;
    private final List<Tried> tried = new ArrayList<>();
    private int good;
    private int bad;

    /** Tries a size. */
    interface Attempt {
        SlipJvm.Ended with(int size) throws IOException, InterruptedException;
    }

    /** A size that was tried, and how that ended. */
    record Tried(int size, SlipJvm.Ended ended) {
        boolean works() {
            return ended.fate() == Fate.FINISHED;
        }

        @Override
        public String toString() {
            return size + " " + ended.fate().printed();
        }
    }

    /**
     * @param first where to begin
     * @param min   nothing smaller is tried
     * @param max   nothing larger is tried
     */
    Bisection(int first, int min, int max) {
        this.first = first;
        this.min = min;
        this.max = max;
        this.good = max + 1;
        this.bad = min - 1;
    }

    /** The smallest size that worked in each of two runs, and failed in none; nothing if there is none. */
    Optional<Integer> find(Attempt attempt) throws IOException, InterruptedException {
        bracket(attempt);
        while (good <= max) {
            while (good - bad > step()) {
                attempt(attempt, (good + bad) / 2);
            }
            if (isConfirmed(attempt, good)) {
                return Optional.of(good);
            }
            climb(attempt);
        }
        return Optional.empty();
    }

    /** Tries a size that has never failed until it has worked often enough. */
    private boolean isConfirmed(Attempt attempt, int size) throws IOException, InterruptedException {
        while (tried.stream().filter(one -> one.size() == size).count() < RUNS_THAT_CONFIRM) {
            if (!attempt(attempt, size)) {
                return false;
            }
        }
        return true;
    }

    /** It was luck: up from there, in growing steps, until a size works that has never failed. */
    private void climb(Attempt attempt) throws IOException, InterruptedException {
        int rise = step();
        good = max + 1;
        while (bad < max && !attempt(attempt, Math.min(max, bad + rise))) {
            rise *= 2;
        }
    }

    /** Doubles or halves until one size works and one does not. */
    private void bracket(Attempt attempt) throws IOException, InterruptedException {
        int size = first;
        if (attempt(attempt, size)) {
            while (size > min && attempt(attempt, size = Math.max(min, size / 2))) {}
        } else {
            while (size < max && !attempt(attempt, size = Math.min(max, size * 2))) {}
        }
    }

    private boolean attempt(Attempt attempt, int size) throws IOException, InterruptedException {
        Tried one = new Tried(size, attempt.with(size));
        tried.add(one);
        if (one.works()) {
            good = Math.min(good, size);
        } else {
            bad = Math.max(bad, size);
        }
        return one.works();
    }

    private int step() {
        return Math.max(STEP_LEAST, good / STEP_PART);
    }

    /** All that was tried, in order. */
    List<Tried> tried() {
        return List.copyOf(tried);
    }

    /** The largest size that did not work. */
    Optional<Tried> tooSmall() {
        return tried.stream().filter(one -> !one.works()).reduce((a, b) -> b.size() > a.size() ? b : a);
    }
}
