package dev.treadle.discovery;

import dev.treadle.discovery.Candidate.Verdict;
import dev.treadle.executor.JobRunrExecutor;

/** A usable executor with the answers it gave; asked once, because a second answer could differ. */
record Registered(JobRunrExecutor executor, String name, int priority) {

    /** @throws IllegalArgumentException if an answer is missing */
    static Registered ask(JobRunrExecutor executor) {
        Integer priority = executor.getPriority();
        String name = executor.executorName();
        // why: both are promised, but only by the contract; the class may come from anywhere
        if (priority == null) {
            throw new IllegalArgumentException("getPriority() returned null: return a number");
        }
        if (name == null || name.isBlank()) {
            throw new IllegalArgumentException("executorName() returned no name: return a short one");
        }
        return new Registered(executor, name, priority);
    }

    String className() {
        return executor.getClass().getName();
    }

    boolean answersTo(String asked) {
        return asked.equals(name) || asked.equals(className());
    }

    Candidate chosen(String why) {
        return new Candidate(className(), name, priority, Verdict.CHOSEN, why);
    }

    Candidate found() {
        return new Candidate(className(), name, priority, Verdict.FOUND, "priority " + priority);
    }

    @Override
    public String toString() {
        return name + " (" + className() + ")";
    }
}
