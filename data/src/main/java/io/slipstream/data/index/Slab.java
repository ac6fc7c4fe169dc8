package io.slipstream.data.index;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Some pages of a table in one piece of memory. What is known of each page stands in arrays beside it.
 *
 * <p>The version of a page is odd while its entries move. Entries that are added or overwritten do not move any. A
 * frozen page belongs to what was committed: it is copied before it is changed.
 */
final class Slab {
    private static final VarHandle VERSIONS = MethodHandles.arrayElementVarHandle(long[].class);

    final MemorySegment segment;
    final int[] counts;
    final boolean[] frozen;
    final int[] checksums;
    private final long[] versions;

    Slab(MemorySegment segment, int pages) {
        this.segment = segment;
        this.counts = new int[pages];
        this.frozen = new boolean[pages];
        this.checksums = new int[pages];
        this.versions = new long[pages];
    }

    long versionAcquire(int page) {
        return (long) VERSIONS.getAcquire(versions, page);
    }

    /** Returns whether a reader that saw this even version first has read a state that there was. */
    boolean isUnchanged(int page, long version) {
        VarHandle.acquireFence();
        return (long) VERSIONS.getOpaque(versions, page) == version;
    }

    void beginMoves(int page) {
        VERSIONS.setOpaque(versions, page, versions[page] + 1);
        VarHandle.storeStoreFence();
    }

    void endMoves(int page) {
        VERSIONS.setRelease(versions, page, versions[page] + 1);
    }
}
