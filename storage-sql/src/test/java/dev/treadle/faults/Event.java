package dev.treadle.faults;

import dev.treadle.job.JobId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * One line that a worker wrote to the file of events.
 *
 * @param what    READY, START, END or ACK; JOINED or APART where a job has had its effect
 * @param worker  the name of the process
 * @param micros  when, in microseconds since 1970 by the clock that the database of the same machine uses too
 * @param job     the job; null for READY
 * @param attempt which attempt of it; 0 where there is none
 */
record Event(String what, String worker, long micros, JobId job, int attempt) {
    static String line(String what, String worker, JobId job, int attempt) {
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        return what + " " + worker + " " + micros + " " + (job == null ? "-" : job) + " " + attempt;
    }

    static Event parse(String line) {
        String[] part = line.split(" ");
        JobId job = part[3].equals("-") ? null : JobId.parse(part[3]);
        return new Event(part[0], part[1], Long.parseLong(part[2]), job, Integer.parseInt(part[4]));
    }
}
