package dev.treadle.example.shop.experiment;

/**
 * How much the experiment does with each setup. Each request, task and job waits.
 *
 * @param rounds     how often
 * @param requests   to the endpoint that waits
 * @param clients    how many of them at once
 * @param waitMillis how long a request waits
 * @param tasks      on the task executor, all submitted at once
 * @param jobs       all enqueued at once
 * @param workMillis how long a task or a job waits
 */
public record Amount(int rounds, int requests, int clients, int waitMillis, int tasks, int jobs, int workMillis) {
    /** Enough for figures that can be compared. */
    public static final Amount FULL = new Amount(3, 10_000, 1_000, 1_000, 1_000, 2_000, 500);

    private static final int LESS = 10;

    /** Enough to see how it goes; clients still outnumber Tomcat's threads. */
    public Amount quick() {
        return new Amount(1, requests / LESS, clients / 2, waitMillis, tasks / LESS, jobs / LESS, workMillis);
    }

    /** With so many rounds. */
    public Amount withRounds(int number) {
        return new Amount(number, requests, clients, waitMillis, tasks, jobs, workMillis);
    }
}
