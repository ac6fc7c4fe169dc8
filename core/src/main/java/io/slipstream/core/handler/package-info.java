/**
 * What the user of a graph writes: handlers, and what they answer.
 *
 * <pre>
 *              one at a time             with an answer                 by the range
 *   events     EventHandler              ControlledEventHandler         BatchHandler
 *   frames     frame.FrameHandler        ControlledFrameHandler         FrameBatchHandler
 *
 *   handler throws ──▶ ExceptionPolicy ──▶ Action: continue, stop, retry, rewind
 * </pre>
 *
 * <ul>
 * <li><b>handler</b>: handles what a stage hands it. It is called by one thread at a time, that of its stage.
 * <li><b>listener</b>: hears of start, end, batches and time-outs; every handler of events is one.
 * <li><b>action</b>: what the stage does next.
 * </ul>
 */
@NullMarked
package io.slipstream.core.handler;

import org.jspecify.annotations.NullMarked;
