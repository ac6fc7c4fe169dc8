package io.slipstream.benchmarks.index;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.data.index.LongLongIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import net.openhft.chronicle.core.values.LongValue;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ChronicleMapBuilder;
import net.openhft.chronicle.values.Values;

/** Files with a million entries: open them, get each entry once, close. Both are in the page cache. */
final class MappedContest implements Contest {
    private static final int COUNT = 1_000_000;

    private final Path folder = Files.createTempDirectory(Path.of("").toAbsolutePath(), "index-benchmark");
    private final long[] keys = Operation.keys(COUNT);

    MappedContest() throws IOException {
        try (LongLongIndex index = LongLongIndex.create(folder.resolve("ours"), LongMap.MISSING)) {
            for (int i = 0; i < COUNT; i++) {
                index.put(keys[i], i);
            }
            index.commit();
        }
        try (ChronicleMap<LongValue, LongValue> map = chronicle()) {
            LongValue key = Values.newHeapInstance(LongValue.class);
            LongValue value = Values.newHeapInstance(LongValue.class);
            for (int i = 0; i < COUNT; i++) {
                key.setValue(keys[i]);
                value.setValue(i);
                map.put(key, value);
            }
        }
    }

    private ChronicleMap<LongValue, LongValue> chronicle() throws IOException {
        return ChronicleMapBuilder.of(LongValue.class, LongValue.class)
                .entries(COUNT)
                .createPersistedTo(folder.resolve("chronicle").toFile());
    }

    @Override
    public double ours() throws IOException {
        long start = System.nanoTime();
        long sum = 0;
        try (LongLongIndex index = LongLongIndex.open(folder.resolve("ours"))) {
            for (long key : keys) {
                sum += index.get(key);
            }
        }
        return check(start, sum);
    }

    @Override
    public double peer() throws IOException {
        long start = System.nanoTime();
        long sum = 0;
        try (ChronicleMap<LongValue, LongValue> map = chronicle()) {
            LongValue key = Values.newHeapInstance(LongValue.class);
            LongValue value = Values.newHeapInstance(LongValue.class);
            for (long k : keys) {
                key.setValue(k);
                sum += map.getUsing(key, value).getValue();
            }
        }
        return check(start, sum);
    }

    private static double check(long start, long sum) {
        double millis = (System.nanoTime() - start) / 1e6;
        if (sum != (COUNT - 1L) * COUNT / 2) {
            throw new IllegalStateException("found wrong values: their sum is " + sum);
        }
        return millis;
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
