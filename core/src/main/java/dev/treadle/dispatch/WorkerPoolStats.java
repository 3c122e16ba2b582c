package dev.treadle.dispatch;

/**
 * The figures of one executor on this node.
 *
 * @param executor the executor's name
 * @param permits  how many jobs may run on it at once
 * @param taken    how many permits are taken by jobs and forks
 * @param running  how many jobs are running
 * @param forks    how many threads are lent to forks
 */
public record WorkerPoolStats(String executor, int permits, int taken, int running, int forks) {}
