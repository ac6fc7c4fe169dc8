package io.slipstream.benchmarks.index;

import java.util.SplittableRandom;

/** What is measured of a map. */
enum Operation {
    PUT("put"),
    HIT("get, hit"),
    BATCH("get of 100 keys at once, hit"),
    MISS("get, miss"),
    MIXED("remove, put another, get"),
    LONGEST_PUT("longest put while it grows");

    private static final int KEYS_AT_ONCE = 100;

    private final String title;

    Operation(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    boolean needsFullMap() {
        return this == HIT || this == BATCH || this == MISS || this == MIXED;
    }

    /** Odd keys, so that the even one below each is missing. */
    static long[] keys(int count) {
        SplittableRandom random = new SplittableRandom(42);
        return random.longs(count).map(key -> key | 1).toArray();
    }

    static void fill(LongMap map, long[] keys) {
        for (int i = 0; i < keys.length; i++) {
            map.put(keys[i], i);
        }
    }

    /** Runs it in the order of {@code order} and returns nanoseconds: of an operation, or of the longest. */
    double run(LongMap map, long[] keys, int[] order) {
        long start = System.nanoTime();
        return switch (this) {
            case PUT -> {
                fill(map, keys);
                yield perKey(start, keys.length);
            }
            case HIT -> {
                long sum = 0;
                for (int i : order) {
                    sum += map.get(keys[i]);
                }
                require(sum == (keys.length - 1L) * keys.length / 2, "found wrong values");
                yield perKey(start, keys.length);
            }
            case BATCH -> {
                long[] some = new long[KEYS_AT_ONCE];
                long[] values = new long[KEYS_AT_ONCE];
                long sum = 0;
                for (int i = 0; i < order.length; i += KEYS_AT_ONCE) {
                    for (int j = 0; j < KEYS_AT_ONCE; j++) {
                        some[j] = keys[order[i + j]];
                    }
                    map.getAll(some, values);
                    for (long value : values) {
                        sum += value;
                    }
                }
                require(sum == (keys.length - 1L) * keys.length / 2, "found wrong values");
                yield perKey(start, keys.length);
            }
            case MISS -> {
                long found = 0;
                for (int i : order) {
                    found += map.get(keys[i] ^ 1) - LongMap.MISSING;
                }
                require(found == 0, "found a key that is not there");
                yield perKey(start, keys.length);
            }
            case MIXED -> {
                long sum = 0;
                for (int i : order) {
                    map.remove(keys[i]);
                    map.put(keys[i] ^ 1, i);
                    sum += map.get(keys[i] ^ 1);
                }
                require(sum == (keys.length - 1L) * keys.length / 2, "lost an entry");
                double nanos = perKey(start, 3L * keys.length);
                for (int i : order) {
                    map.remove(keys[i] ^ 1);
                    map.put(keys[i], i);
                }
                yield nanos;
            }
            case LONGEST_PUT -> {
                long longest = 0;
                for (int i = 0; i < keys.length; i++) {
                    long before = System.nanoTime();
                    map.put(keys[i], i);
                    longest = Math.max(longest, System.nanoTime() - before);
                }
                yield longest;
            }
        };
    }

    private static double perKey(long start, long operations) {
        return (double) (System.nanoTime() - start) / operations;
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}
