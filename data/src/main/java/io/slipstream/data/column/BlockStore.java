package io.slipstream.data.column;

import io.slipstream.core.memory.Region;
import java.util.ArrayList;
import java.util.List;

/** Where a table gets its blocks from. */
public interface BlockStore extends AutoCloseable {
    /** Returns the block of this number, zero throughout. */
    Block allocate(int number, long bytes);

    /**
     * Returns memory for a block in another form: sealed, or not any more. It is zero throughout, or holds the block in
     * that form already.
     */
    Region other(int number, long bytes, boolean isSealed);

    /**
     * Takes memory that {@link #other} returned in the place of that of {@code former}, which is no more in the table.
     */
    void put(int number, Region region, boolean isSealed, Block former);

    /** Gives the blocks from this number on back: who uses one after that gets an {@link IllegalStateException}. */
    void release(int from);

    /** Gives all blocks back. */
    @Override
    void close();

    /** Closes the regions of the blocks from a number on, which are in the order of the blocks. */
    static void release(List<Region> regions, int from) {
        List<Region> released = regions.subList(from, regions.size());
        released.forEach(Region::close);
        released.clear();
    }

    /** Returns a store in native memory. */
    static BlockStore ofMemory() {
        List<Region> regions = new ArrayList<>();
        return new BlockStore() {
            @Override
            public Block allocate(int number, long bytes) {
                Region region = Region.allocate(bytes);
                regions.add(region);
                return new Block(region.segment());
            }

            @Override
            public Region other(int number, long bytes, boolean isSealed) {
                return Region.allocate(bytes);
            }

            @Override
            public void put(int number, Region region, boolean isSealed, Block former) {
                former.replaced(regions.set(number, region)::close);
            }

            @Override
            public void release(int from) {
                BlockStore.release(regions, from);
            }

            @Override
            public void close() {
                release(0);
            }
        };
    }
}
