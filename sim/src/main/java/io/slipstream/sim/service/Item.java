package io.slipstream.sim.service;

/**
 * An item that the machine has published, or that a feed has received.
 *
 * @param topic of the item
 * @param hash  of its bytes
 */
record Item(long topic, long hash) {}
