package dev.treadle.dispatch;

/**
 * How one executor is used on this node.
 *
 * @param executor what it is called
 * @param permits  how many jobs may run on it at once
 * @param taken    how many permits are taken, by jobs and by forks
 * @param running  how many jobs run
 * @param forks    how many threads forks of jobs have
 */
public record WorkerPoolStats(String executor, int permits, int taken, int running, int forks) {}
