package io.slipstream.data.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * No operation does more than a page of work: not while the table grows, and not with keys that were chosen to meet.
 */
class BoundedWorkTest {
    private static final long MISSING = -1;
    private static final int BUCKETS = 256;
    private static final int PAGES_IN_SLAB = 4;
    private static final int SHORT_CHAIN = 32;
    private static final KeyHash KNOWN = new KeyHash(5, 0x9e37_79b9_7f4a_7c15L);

    @Test
    void movesTheEntriesOfOnePageAtMostAndTakesOneSlabAtMost() {
        SplittableRandom random = new SplittableRandom(11);
        try (LongTable table = table(new KeyHash(random.nextLong(), random.nextLong() | 1))) {
            long moves = 0;
            long slabs = 1;
            long splits = 0;
            for (int i = 0; i < 100_000; i++) {
                table.put(random.nextLong() | 1, i, MISSING);
                long after = moves(table);
                // The version of a page changes twice when entries leave it, and so does that of the page they go to.
                assertThat(after - moves).as("put %s", i).isBetween(0L, 4L);
                assertThat(table.directory().slabs.length - slabs)
                        .as("put %s", i)
                        .isBetween(0L, 1L);
                splits += after > moves ? 1 : 0;
                moves = after;
                slabs = table.directory().slabs.length;
            }
            assertThat(splits).isGreaterThan(50);
        }
    }

    @Test
    void keepsChainsShortForKeysThatMeetUnderAnotherSeed() {
        long[] keys = LongStream.iterate(1, key -> key + 1)
                .filter(key -> (KNOWN.of(key) & BUCKETS - 1) == 0)
                .limit(20_000)
                .toArray();
        assertThat(longestChain(KeyHash.random(), keys)).isLessThan(SHORT_CHAIN);
    }

    /** The twin: an attacker who knew the seed would get long chains, and this test would see them. */
    @Test
    void findsLongChainsWhereTheSeedIsKnown() {
        long[] keys = LongStream.iterate(1, key -> key + 1)
                .filter(key -> (KNOWN.of(key) & BUCKETS - 1) == 0)
                .limit(3 * BUCKETS)
                .toArray();
        assertThat(longestChain(KNOWN, keys)).isGreaterThan(SHORT_CHAIN);
    }

    @Test
    void keepsChainsShortForKeysInOrderAndForMultiplesOfPowersOfTwo() {
        for (int shift : new int[] {0, 3, 12, 32, 47}) {
            long[] keys =
                    LongStream.rangeClosed(1, 20_000).map(key -> key << shift).toArray();
            assertThat(longestChain(KeyHash.random(), keys))
                    .as("multiples of 2^%s", shift)
                    .isLessThan(SHORT_CHAIN);
        }
    }

    private static LongTable table(KeyHash hash) {
        return new LongTable(PageStore.ofMemory(), hash, BUCKETS, PAGES_IN_SLAB);
    }

    private static long moves(LongTable table) {
        long sum = 0;
        for (Slab slab : table.directory().slabs) {
            for (int page = 0; page < slab.counts.length; page++) {
                sum += slab.versionAcquire(page);
            }
        }
        return sum;
    }

    /** Returns how many buckets the entry that lies farthest from its own is away. */
    private static int longestChain(KeyHash hash, long[] keys) {
        try (LongTable table = table(hash)) {
            for (long key : keys) {
                table.put(key, key, MISSING);
            }
            int longest = 0;
            Directory d = table.directory();
            for (int i = 0; i < d.entries.length; i += d.span(i)) {
                Slab slab = d.slabs[Directory.slab(d.entries[i])];
                for (int bucket = 0; bucket <= d.bucketMask; bucket++) {
                    long at = Directory.offset(d.entries[i]) + ((long) bucket << Bucket.SHIFT);
                    for (int slot = 0; slot <= Bucket.LAST; slot += Long.BYTES) {
                        long key = Memory.getLong(slab.segment, at + slot);
                        if (key != 0) {
                            longest = Math.max(longest, bucket - (int) hash.of(key) & d.bucketMask);
                        }
                    }
                }
            }
            return longest;
        }
    }
}
