package io.slipstream.benchmarks.exchange;

import io.slipstream.exchange.Side;
import java.util.Arrays;

/** The orders that rest while commands are generated, oldest first; ids count upward. */
final class LiveOrders {
    private final int[] owners;
    private final boolean[] selling;
    private final long[] prices;
    private final long[] quantities;
    private final int[] sizes = new int[2];
    private int[] ids = new int[1_024];
    private int size;

    LiveOrders(int maxId) {
        this.owners = new int[maxId + 1];
        this.selling = new boolean[maxId + 1];
        this.prices = new long[maxId + 1];
        this.quantities = new long[maxId + 1];
    }

    int size() {
        return size;
    }

    int size(Side side) {
        return sizes[side.ordinal()];
    }

    int oldest(int place) {
        return ids[place];
    }

    void add(int id, int owner, Side side, long price, long quantity) {
        if (size == ids.length) {
            ids = Arrays.copyOf(ids, 2 * size);
        }
        ids[size++] = id;
        sizes[side.ordinal()]++;
        owners[id] = owner;
        selling[id] = side == Side.SELL;
        prices[id] = price;
        quantities[id] = quantity;
    }

    void remove(int id) {
        int place = Arrays.binarySearch(ids, 0, size, id);
        System.arraycopy(ids, place + 1, ids, place, size - place - 1);
        size--;
        sizes[selling[id] ? Side.SELL.ordinal() : Side.BUY.ordinal()]--;
    }

    int owner(int id) {
        return owners[id];
    }

    long price(int id) {
        return prices[id];
    }

    void setPrice(int id, long price) {
        prices[id] = price;
    }

    long quantity(int id) {
        return quantities[id];
    }
}
