package io.slipstream.data.index;

import io.slipstream.core.memory.Region;
import java.util.ArrayList;
import java.util.List;

/** Where a table gets the memory for its pages from. */
interface PageStore extends AutoCloseable {
    /** Makes room for the pages of the slab of this number; they are zero. */
    Slab allocate(int slab, int pages, long pageBytes);

    /** Gives all memory back. */
    @Override
    void close();

    /** Returns a store in native memory. */
    static PageStore ofMemory() {
        List<Region> regions = new ArrayList<>();
        return new PageStore() {
            @Override
            public Slab allocate(int slab, int pages, long pageBytes) {
                Region region = Region.allocate(pages * pageBytes);
                regions.add(region);
                return new Slab(region.segment(), pages);
            }

            @Override
            public void close() {
                regions.forEach(Region::close);
            }
        };
    }
}
