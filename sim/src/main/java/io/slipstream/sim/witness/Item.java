package io.slipstream.sim.witness;

/**
 * An item that the machine has published, or that a feed has received; or an event for a session.
 *
 * @param topic of the item, or the session
 * @param hash  of its bytes
 */
public record Item(long topic, long hash) {}
