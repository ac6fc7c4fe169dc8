package io.slipstream.service.logic;

/**
 * What is kept for clients, what they may send, and what an operator reads.
 *
 * @param outboxBytes    of outputs kept for each session, a power of two
 * @param feedBytes      of items kept for each topic, a power of two
 * @param maxFrameLength the longest frame that the gateway takes, which clients are told
 * @param skipCommand    what an operator says, before the number of an entry, to have it skipped; empty if there is no
 *                       log to skip it in
 */
public record LogicLimits(int outboxBytes, int feedBytes, int maxFrameLength, String skipCommand) {
    /** Has an operator say something else, as where the log is that of a cluster. */
    public LogicLimits withSkipCommand(String newSkipCommand) {
        return new LogicLimits(outboxBytes, feedBytes, maxFrameLength, newSkipCommand);
    }
}
