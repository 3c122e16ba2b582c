/**
 * The port behind which jobs are kept.
 * The engine and the API call it; the author of a storage implements it and runs the published contract suites.
 * Nothing here decides what happens next to a job or starts a thread.
 */
@NullMarked
package dev.treadle.storage;

import org.jspecify.annotations.NullMarked;
