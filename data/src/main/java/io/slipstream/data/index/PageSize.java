package io.slipstream.data.index;

/**
 * How a table grows.
 *
 * @param buckets of a page: a power of two
 * @param pagesInSlab how many pages are made at once
 */
record PageSize(int buckets, int pagesInSlab) {
    /** Pages of 512 KiB, 1 MiB at once: to get memory from the system is what takes longest in the longest put. */
    static final PageSize IN_MEMORY = new PageSize(8192, 2);

    /** Pages of 64 KiB, as a page is copied when it changes after a commit; 4 MiB at once. */
    static final PageSize MAPPED = new PageSize(1024, 64);
}
