package io.slipstream.data.index;

import java.lang.foreign.Arena;
import java.util.stream.LongStream;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** An index whose owner changes it while another thread reads. It stands in this package to reach its table. */
public final class TableRaces {
    private static final KeyHash HASH = new KeyHash(11, 0x7_0000_0001L);
    /** Keys whose probing begins at the first of two buckets: the fifth of them must go on to the second. */
    private static final long[] KEYS = LongStream.iterate(1, key -> key + 1)
            .filter(key -> (HASH.of(key) & 1) == 0)
            .limit(6)
            .toArray();

    private TableRaces() {}

    private static LongTable table(int keys) {
        PageStore store = new PageStore() {
            @Override
            public Slab allocate(int slab, int pages, long pageBytes) {
                return new Slab(Arena.ofAuto().allocate(pages * pageBytes, Bucket.BYTES), pages);
            }

            @Override
            public void close() {
                // The collector does.
            }
        };
        LongTable table = new LongTable(store, HASH, 2, 2);
        for (int i = 0; i < keys; i++) {
            table.put(KEYS[i], KEYS[i], -1);
        }
        return table;
    }

    /** A key that moves to an earlier bucket, as another one is removed, is found all the time. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "0, -1"},
            expect = Expect.ACCEPTABLE,
            desc = "the key that stays is there")
    @Outcome(expect = Expect.FORBIDDEN, desc = "missed the key that moved")
    @State
    public static class Moved {
        private final LongTable table = table(5);
        private final TableReader reader = new TableReader(table);

        /** Removes the first key, so that the last one takes its bucket. */
        @Actor
        public void owner() {
            table.remove(KEYS[0], -1);
        }

        /** Looks for both. */
        @Actor
        public void reader(JJ_Result result) {
            result.r1 = reader.get(KEYS[4], -1) - KEYS[4];
            result.r2 = reader.get(KEYS[0], -1) == KEYS[0] ? 0 : -1;
        }
    }

    /** A key that is added has its value from the beginning,
     * and one that was there is found while the page is split. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "0, -1"},
            expect = Expect.ACCEPTABLE,
            desc = "whole, or not yet")
    @Outcome(expect = Expect.FORBIDDEN, desc = "half an entry, or none where there was one")
    @State
    public static class Added {
        private final LongTable table = table(5);
        private final TableReader reader = new TableReader(table);

        /** Adds keys until the page is full and splits. */
        @Actor
        public void owner() {
            table.put(KEYS[5], KEYS[5], -1);
            table.put(KEYS[5] + 1_000, 1, -1);
            table.put(KEYS[5] + 2_000, 1, -1);
        }

        /** Looks for an old one and a new one. */
        @Actor
        public void reader(JJ_Result result) {
            result.r1 = reader.get(KEYS[4], -1) - KEYS[4];
            long value = reader.get(KEYS[5], -1);
            result.r2 = value == -1 ? -1 : value - KEYS[5];
        }
    }

    /** Broken twin: reads without looking at versions. Must be found out. */
    @JCStressTest
    @JCStressMeta(Moved.class)
    @State
    public static class BrokenReader {
        private final LongTable table = table(5);

        /** Removes the first key. */
        @Actor
        public void owner() {
            table.remove(KEYS[0], -1);
        }

        /** Looks for the last one. */
        @Actor
        public void reader(JJ_Result result) {
            result.r1 = table.get(KEYS[4], -1) - KEYS[4];
        }
    }
}
