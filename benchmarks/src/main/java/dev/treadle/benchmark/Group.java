package dev.treadle.benchmark;

import java.util.List;

/**
 * Cells that are interleaved with each other.
 *
 * @param roundsOfAll how often they are measured when everything is, so that everything ends in a bounded time
 */
record Group(List<Cell> cells, int roundsOfAll) {}
