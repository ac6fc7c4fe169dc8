package io.slipstream.exchange;

/**
 * All memory that books use, taken at once, so that nothing is allocated and nothing grows later: orders, price levels
 * in blocks, and the nodes that keep the blocks in order. Books may share it.
 */
record Room(Records records, OrderPool orders, LevelPool levels, TrieNodes nodes) {
    /** So many blocks there are for any book, as long as each order may have one of its own. */
    private static final int BLOCKS = 1_024;

    /** And one more block for each so many orders. */
    private static final int ORDERS_PER_BLOCK = 16;

    /** Room for so many orders; see {@link OrderBook#OrderBook(int, BookListener)} for what it takes. */
    static Room forOrders(int maxOrders) {
        int orderWords = OrderPool.wordsFor(maxOrders);
        // A moving order may need a block before it leaves its own.
        int blocks = Math.min(maxOrders + 1, BLOCKS + maxOrders / ORDERS_PER_BLOCK);
        Records records = new Records(orderWords + LevelPool.wordsFor(blocks));
        return new Room(
                records,
                new OrderPool(maxOrders, records),
                new LevelPool(blocks, records, orderWords),
                new TrieNodes(blocks));
    }
}
