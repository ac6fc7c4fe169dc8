package io.slipstream.sim.cluster;

import io.slipstream.core.frame.Frame;
import io.slipstream.service.snapshot.ChunkedInput;
import io.slipstream.service.snapshot.ChunkedOutput;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** A snapshot on the disk of a member. */
final class StoredSnapshot implements ChunkedOutput.Sink {
    private final List<MemorySegment> records = new ArrayList<>();
    private final int next;

    /**
     * Creates it without a record.
     *
     * @param next item of the log that it does not have
     */
    StoredSnapshot(int next) {
        this.next = next;
    }

    int next() {
        return next;
    }

    @Override
    public void append(MemorySegment memory, long offset, int bytes) {
        MemorySegment copy = MemorySegment.ofBuffer(ByteBuffer.allocateDirect(bytes));
        records.add(copy.copyFrom(memory.asSlice(offset, bytes)));
    }

    ChunkedInput.Source source() {
        Iterator<MemorySegment> all = records.iterator();
        return new ChunkedInput.Source() {
            private MemorySegment present = MemorySegment.NULL;

            @Override
            public boolean next() {
                if (!all.hasNext()) {
                    return false;
                }
                present = all.next();
                return true;
            }

            @Override
            public MemorySegment memory() {
                return present;
            }

            @Override
            public long offset() {
                return 0;
            }

            @Override
            public int length() {
                return Frame.length(present, 0);
            }
        };
    }
}
