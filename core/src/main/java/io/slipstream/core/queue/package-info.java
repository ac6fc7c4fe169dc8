/**
 * Bounded queues of references without locks.
 *
 * <pre>
 *                    one consumer           many consumers
 *   one producer     OneToOneQueue          OneToManyQueue
 *   many producers   ManyToOneQueue         ManyToManyQueue
 *                    GrowingManyToOneQueue  (begins small, grows up to a bound)
 *
 *        consumerIndex                producerIndex
 *             │                            │
 *   ──┬───┬───▼───┬───┬───┬───┬───┬───┬────▼──┬───┬──      an index grows for ever,
 *     │   │   a   │ b │ c │ d │ e │ f │       │   │        its slot is index &amp; mask
 *   ──┴───┴───────┴───┴───┴───┴───┴───┴───────┴───┴──
 *             ├──────── size ──────────────┤
 * </pre>
 *
 * An <em>index</em> counts the elements that one side has claimed; a <em>slot</em> holds an element or null; a
 * <em>limit</em> is an index up to which a side has seen that it may go on without looking at the other side; a
 * <em>gap</em> stands where a claim could not be filled. {@link io.slipstream.core.queue.WaitingQueue} adds the
 * blocking methods to any of them.
 *
 * <p>To hand over bytes instead of references use a ring of frames; to hand every event to several consumers, a ring
 * buffer.
 */
@NullMarked
package io.slipstream.core.queue;

import org.jspecify.annotations.NullMarked;
