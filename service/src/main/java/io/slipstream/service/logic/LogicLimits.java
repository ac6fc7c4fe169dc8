package io.slipstream.service.logic;

/**
 * What is kept for clients, and what they may send.
 *
 * @param outboxBytes    of outputs kept for each session, a power of two
 * @param feedBytes      of items kept for each topic, a power of two
 * @param maxFrameLength the longest frame that the gateway takes, which clients are told
 */
public record LogicLimits(int outboxBytes, int feedBytes, int maxFrameLength) {}
