/**
 * The frames of a channel: where they begin, which of them can be read, and what a killed publisher leaves.
 *
 * <pre>
 *   OneFrames    tail moves when a message is published
 *   ManyFrames   tail moves when room is claimed; a Stamp for each place says whose it is, and whether it is published
 *   Landmarks    for each part of the ring the position of a frame, for those who join late
 * </pre>
 */
@NullMarked
package io.slipstream.ipc.frame;

import org.jspecify.annotations.NullMarked;
