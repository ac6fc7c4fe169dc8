package io.slipstream.benchmarks.index;

import io.slipstream.data.index.LongLongIndex;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.HashMap;
import java.util.Map;
import org.agrona.collections.Long2LongHashMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongLongHashMap;

/** What all maps can do; -1 is no entry. */
interface LongMap extends AutoCloseable {
    long MISSING = -1;

    void put(long key, long value);

    long get(long key);

    void remove(long key);

    /** As the map does it best. */
    default void getAll(long[] keys, long[] values) {
        for (int i = 0; i < keys.length; i++) {
            values[i] = get(keys[i]);
        }
    }

    @Override
    default void close() {
        // Most are garbage.
    }

    static LongMap ours() {
        LongLongIndex index = LongLongIndex.inMemory(MISSING);
        return new LongMap() {
            @Override
            public void put(long key, long value) {
                index.put(key, value);
            }

            @Override
            public long get(long key) {
                return index.get(key);
            }

            @Override
            public void remove(long key) {
                index.remove(key);
            }

            @Override
            public void getAll(long[] keys, long[] values) {
                index.getAll(keys, values);
            }

            @Override
            public void close() {
                index.close();
            }
        };
    }

    static LongMap fastutil() {
        Long2LongOpenHashMap map = new Long2LongOpenHashMap();
        map.defaultReturnValue(MISSING);
        return new LongMap() {
            @Override
            public void put(long key, long value) {
                map.put(key, value);
            }

            @Override
            public long get(long key) {
                return map.get(key);
            }

            @Override
            public void remove(long key) {
                map.remove(key);
            }
        };
    }

    static LongMap agrona() {
        Long2LongHashMap map = new Long2LongHashMap(MISSING);
        return new LongMap() {
            @Override
            public void put(long key, long value) {
                map.put(key, value);
            }

            @Override
            public long get(long key) {
                return map.get(key);
            }

            @Override
            public void remove(long key) {
                map.remove(key);
            }
        };
    }

    static LongMap eclipse() {
        LongLongHashMap map = new LongLongHashMap();
        return new LongMap() {
            @Override
            public void put(long key, long value) {
                map.put(key, value);
            }

            @Override
            public long get(long key) {
                return map.getIfAbsent(key, MISSING);
            }

            @Override
            public void remove(long key) {
                map.remove(key);
            }
        };
    }

    static LongMap ofTheJdk() {
        Map<Long, Long> map = new HashMap<>();
        return new LongMap() {
            @Override
            public void put(long key, long value) {
                map.put(key, value);
            }

            @Override
            public long get(long key) {
                Long value = map.get(key);
                return value == null ? MISSING : value;
            }

            @Override
            public void remove(long key) {
                map.remove(key);
            }
        };
    }
}
