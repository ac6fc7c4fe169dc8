/**
 * Graphs: the stages of a ring, what each of them waits for, and the threads that run them.
 *
 * <pre>
 *   EventGraph, FrameGraph            what the user builds: handlers behind handlers
 *        │ is a
 *        ▼
 *      Graph ──▶ Nodes ──▶ Node       the stages by their handlers; start, join, leave, drain, close
 *        │                  │
 *        ▼                  ▼
 *     Wiring ──────────▶  Stage       barrier in front, signals behind; a duty of a worker
 *                           │
 *              barrier ─▶ batch ─▶ handler ─▶ Sequence ─▶ stages behind, publishers
 * </pre>
 *
 * <ul>
 * <li><b>stage</b>: a barrier, a handler and a {@link io.slipstream.core.sequence.Sequence}, as a duty of a worker.
 * <li><b>batch</b>: what the barrier let through at one look. It is passed in one step.
 * <li><b>slots</b>: what the positions of a ring count, events or bytes of frames.
 * <li><b>share</b>: several handlers, each event to exactly one of them.
 * <li><b>pace</b>: how long a stage pauses so as not to tread on its publisher's heels.
 * </ul>
 */
@NullMarked
package io.slipstream.core.graph;

import org.jspecify.annotations.NullMarked;
