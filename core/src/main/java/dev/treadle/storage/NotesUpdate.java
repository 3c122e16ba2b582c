package dev.treadle.storage;

import dev.treadle.job.RunNotes;
import dev.treadle.lifecycle.RunId;

/** What one run has to tell since it last did: the latest progress and words, and the new lines. */
public record NotesUpdate(RunId run, RunNotes notes) {}
