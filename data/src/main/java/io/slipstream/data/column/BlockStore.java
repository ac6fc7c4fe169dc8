package io.slipstream.data.column;

import io.slipstream.core.memory.Region;
import java.util.ArrayList;
import java.util.List;

/** Where a table gets its blocks from. */
public interface BlockStore extends AutoCloseable {
    /** Returns the block of this number, zero throughout. */
    Block allocate(int number, long bytes);

    /** Gives all blocks back. */
    @Override
    void close();

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
            public void close() {
                regions.forEach(Region::close);
                regions.clear();
            }
        };
    }
}
