package io.slipstream.keyvalue.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.keyvalue.value.Bytes;
import io.slipstream.keyvalue.value.HashValue;
import io.slipstream.keyvalue.value.SetValue;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SpaceTest {
    private static final int ELEMENTS = 10_000;

    /** Whether the key is there or not, whatever it holds, and whether that has an element of the name. */
    @Test
    void isTheSameWhateverIsExpected() {
        SetValue set = new SetValue();
        HashValue hash = new HashValue();
        for (int i = 0; i < ELEMENTS; i++) {
            set.add(Bytes.of("name " + i));
            hash.put(Bytes.of("name " + i), new byte[i % 10]);
        }
        SetValue small = new SetValue();
        small.add(Bytes.of("name 1"));
        try (Space space = new Space(0)) {
            space.shelf().put(Bytes.of("set"), set, 1);
            space.shelf().put(Bytes.of("hash"), hash, 2);
            space.shelf().put(Bytes.of("small"), small, 3);
            byte[] value = {1};
            space.put(Bytes.of("string"), (byte) 0, MemorySegment.ofArray(value), 0, 1, 4);
            long before = space.usedBytes();
            String[] keys = {"set", "hash", "small", "string", "none"};
            SplittableRandom random = new SplittableRandom(3);
            for (int round = 0; round < 20_000; round++) {
                for (int each = random.nextInt(40); each > 0; each--) {
                    String key = keys[random.nextInt(keys.length)];
                    String name = "name " + random.nextInt(2 * ELEMENTS) + "x".repeat(random.nextInt(3) * 50);
                    MemorySegment words =
                            MemorySegment.ofArray(Bytes.of(key + name).array());
                    space.expect(words, 0, key.length(), random.nextInt(-1, name.length() + 1));
                }
                space.prefetch();
            }
            assertThat(space.usedBytes()).isEqualTo(before);
            assertThat(space.keys().count()).isEqualTo(4);
            assertThat(set.size()).isEqualTo(ELEMENTS);
            assertThat(set.contains(Bytes.of("name 77"))).isTrue();
            assertThat(hash.get(Bytes.of("name 77"))).hasSize(7);
        }
    }

    @Test
    void aNameInMemoryHasTheHashOfItsBytes() {
        SplittableRandom random = new SplittableRandom(4);
        for (int length = 0; length < 100; length++) {
            byte[] bytes = new byte[length + 3];
            random.nextBytes(bytes);
            MemorySegment memory = MemorySegment.ofArray(bytes);
            assertThat(Bytes.hashCode(memory, 3, length))
                    .isEqualTo(new Bytes(Bytes.copy(memory, 3, length)).hashCode());
        }
    }
}
