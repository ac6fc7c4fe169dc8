package io.slipstream.core.graph;

import io.slipstream.core.handler.StageListener;
import io.slipstream.core.ring.Ring;
import io.slipstream.core.sequence.Sequence;

/**
 * A stage that no worker runs: somebody outside of the graph says how far events have been dealt with, such as whoever
 * hears from a replica. Stages behind it see an event when the gate has been opened up to it, and are woken then.
 * Publishers wait for it as for every stage.
 *
 * <pre>{@code
 * Gate acknowledged = new Gate(ring, "acknowledged");
 * graph.handleEventsWith(journal);
 * graph.handleEventsWith(acknowledged);                        // beside the journal, behind the publishers
 * graph.after(journal, acknowledged).handleEventsWith(reply);
 * ...
 * acknowledged.open(sequence + 1);                             // by any thread: all before that is acknowledged
 * }</pre>
 */
public final class Gate extends Stage {
    /**
     * Creates a gate, to be added to a graph of {@code ring} before that starts.
     *
     * @param name as of a stage
     */
    public Gate(Ring ring, String name) {
        super(ring, new StageListener() {}, StageSettings.named(name));
    }

    /**
     * Lets those behind go on up to {@code position}; nothing happens if the gate was opened so far already. Callable
     * by any thread.
     *
     * @param position everything before it was dealt with: of events the sequence of the last one and 1, of frames the
     *                 begin of the next one
     * @throws IllegalArgumentException if not everything before it was published
     */
    public void open(long position) {
        requirePublished(position);
        Sequence sequence = sequence();
        long present;
        do {
            present = sequence.getAcquire();
            if (position <= present) {
                return;
            }
        } while (!sequence.compareAndSet(present, position));
        announceFromOutside();
    }

    private void requirePublished(long position) {
        long from = sequence().getAcquire();
        long at = from;
        while (at < position) {
            long end = barrier().available(at, (int) Math.min(position - at, Integer.MAX_VALUE));
            if (end > at) {
                at = end;
                continue;
            }
            long opened = sequence().getAcquire();
            if (opened == from) {
                throw new IllegalArgumentException("gate " + name() + " cannot be opened up to " + position
                        + ", as only what is before " + at + " was published");
            }
            // Another thread has opened it further meanwhile, and what was there may be overwritten.
            from = opened;
            at = opened;
        }
    }

    /** Does nothing: nobody runs a gate. */
    @Override
    protected long handle(long first, long end) {
        return first;
    }
}
