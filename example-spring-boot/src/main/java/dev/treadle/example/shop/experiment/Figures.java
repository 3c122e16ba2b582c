package dev.treadle.example.shop.experiment;

/**
 * What the shop took while it worked.
 *
 * @param threads   platform threads at once, at most
 * @param heapKb    heap in use after a collection in the middle of the work
 * @param processKb memory of the process at that time; -1 where the system does not tell
 */
record Figures(int threads, long heapKb, long processKb) {}
