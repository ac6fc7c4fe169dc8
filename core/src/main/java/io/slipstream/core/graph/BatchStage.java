package io.slipstream.core.graph;

import io.slipstream.core.handler.BatchHandler;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.sequencer.Aborts;

/** Hands events to a handler by the range; aborted ones lie between the ranges. */
final class BatchStage<E> extends Stage {
    private final RingBuffer<E> ring;
    private final BatchHandler<E> handler;
    private long failedEnd;

    BatchStage(RingBuffer<E> ring, BatchHandler<E> handler, StageSettings settings) {
        super(ring, handler, settings);
        this.ring = ring;
        this.handler = handler;
    }

    @Override
    protected long handle(long first, long end) throws Exception {
        Aborts aborts = ring.aborts();
        if (!aborts.reach(first)) {
            handOver(first, end);
            return end;
        }
        long at = first;
        while (at < end) {
            long rangeEnd = at;
            while (rangeEnd < end && !aborts.contains(rangeEnd)) {
                rangeEnd++;
            }
            if (rangeEnd > at) {
                handOver(at, rangeEnd);
            }
            at = rangeEnd + 1;
        }
        return end;
    }

    private void handOver(long first, long end) throws Exception {
        try {
            handler.onBatch(ring, first, end);
        } catch (Throwable e) {
            failedEnd = end;
            failed(first);
            throw e;
        }
    }

    @Override
    protected long afterFailed(long at, long end) {
        return failedEnd;
    }
}
