package dev.treadle.dispatch;

import dev.treadle.claim.Claimer;
import dev.treadle.claim.Lanes;
import dev.treadle.claim.PollPolicy;

/**
 * Where jobs come from.
 *
 * @param claimer claims them
 * @param lanes   knows where some wait
 * @param poll    how long to rest if none were found
 */
public record ClaimSource(Claimer claimer, Lanes lanes, PollPolicy poll) {}
