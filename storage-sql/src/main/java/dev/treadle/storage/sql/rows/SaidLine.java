package dev.treadle.storage.sql.rows;

import dev.treadle.job.RunNotes.LogLine;
import dev.treadle.lifecycle.RunId;

/** A line of a log, and the run that wrote it. */
public record SaidLine(RunId run, LogLine line) {}
