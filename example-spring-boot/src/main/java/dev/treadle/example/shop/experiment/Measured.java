package dev.treadle.example.shop.experiment;

/**
 * One measurement.
 *
 * @param perSecond requests, tasks or jobs done in a second
 * @param p99Millis how long the slowest hundredth took at least; -1 for what is not requested one by one
 */
record Measured(double perSecond, long p99Millis, Figures figures) {}
