package io.slipstream.benchmarks.columns;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.data.list.Cursor;
import io.slipstream.data.list.HugeList;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;

/** Three columns, appended and read in order: a huge list against Arrow's vectors, which grow as they are set. */
final class ArrowContest implements Contest {
    /** What both hold. */
    public interface Point {
        /** Returns a whole number. */
        long getKey();

        /** Sets it. */
        void setKey(long key);

        /** Returns a smaller whole number. */
        int getQuantity();

        /** Sets it. */
        void setQuantity(int quantity);

        /** Returns a number. */
        double getPrice();

        /** Sets it. */
        void setPrice(double price);
    }

    private final int count;

    ArrowContest(int count) {
        this.count = count;
    }

    @Override
    public double ours() {
        long start = System.nanoTime();
        long sum = 0;
        try (HugeList<Point> list = HugeList.of(Point.class)) {
            for (int i = 0; i < count; i++) {
                Point point = list.append();
                point.setKey(i);
                point.setQuantity(i);
                point.setPrice(i);
            }
            Cursor<Point> points = list.cursor();
            while (points.next()) {
                Point point = points.element();
                sum += point.getKey() + point.getQuantity() + (long) point.getPrice();
            }
        }
        return perElement(start, sum);
    }

    @Override
    public double peer() {
        long start = System.nanoTime();
        long sum = 0;
        try (BufferAllocator allocator = new RootAllocator();
                BigIntVector keys = new BigIntVector("key", allocator);
                IntVector quantities = new IntVector("quantity", allocator);
                Float8Vector prices = new Float8Vector("price", allocator)) {
            keys.allocateNew();
            quantities.allocateNew();
            prices.allocateNew();
            for (int i = 0; i < count; i++) {
                keys.setSafe(i, i);
                quantities.setSafe(i, i);
                prices.setSafe(i, i);
            }
            for (int i = 0; i < count; i++) {
                sum += keys.get(i) + quantities.get(i) + (long) prices.get(i);
            }
        }
        return perElement(start, sum);
    }

    private double perElement(long start, long sum) {
        double nanos = (double) (System.nanoTime() - start) / count;
        if (sum != 3 * ((count - 1L) * count / 2)) {
            throw new IllegalStateException("the sum is " + sum);
        }
        return nanos;
    }
}
