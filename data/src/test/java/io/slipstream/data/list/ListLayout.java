package io.slipstream.data.list;

/** How the lists of a test keep their elements. */
enum ListLayout {
    COLUMNS,
    ROWS;

    /** Returns a builder of lists of this layout. */
    <T> HugeListBuilder<T> builder(Class<T> type) {
        HugeListBuilder<T> builder = HugeList.builder(type);
        return this == ROWS ? builder.byRows() : builder;
    }

    /** Returns an empty list in native memory. */
    <T> HugeList<T> of(Class<T> type) {
        return builder(type).inMemory();
    }
}
