package io.slipstream.keyvalue.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ListValueTest {
    @Test
    void movesEachElementOnceHoweverManyAreRemoved() {
        ListValue list = new ListValue();
        int pairs = 10_000;
        for (int i = 0; i < pairs; i++) {
            list.addLast(new byte[] {1});
            list.addLast(new byte[] {2});
        }
        assertThat(list.removeEqual(new byte[] {1}, 0)).isEqualTo(pairs);
        assertThat(list.size()).isEqualTo(pairs);
        assertThat(list.moves()).isEqualTo(pairs);
    }

    @Test
    void removesTheFirstOrTheLastOrAll() {
        Random random = new Random(5);
        for (int round = 0; round < 2_000; round++) {
            ListValue list = new ListValue();
            List<Byte> model = new ArrayList<>();
            for (int i = random.nextInt(12); i > 0; i--) {
                byte value = (byte) random.nextInt(3);
                if (random.nextBoolean()) {
                    list.addLast(new byte[] {value});
                    model.add(value);
                } else {
                    list.addFirst(new byte[] {value});
                    model.addFirst(value);
                }
            }
            int count = random.nextInt(7) - 3;
            int removed = 0;
            for (int most = count == 0 ? model.size() : Math.abs(count); most > 0; most--) {
                int at = count < 0 ? model.lastIndexOf((byte) 1) : model.indexOf((byte) 1);
                if (at >= 0) {
                    model.remove(at);
                    removed++;
                }
            }
            assertThat(list.removeEqual(new byte[] {1}, count)).isEqualTo(removed);
            ListValue same = new ListValue();
            model.forEach(value -> same.addLast(new byte[] {value}));
            assertThat(list.size()).isEqualTo(model.size());
            for (int i = 0; i < model.size(); i++) {
                assertThat(list.get(i)[0]).isEqualTo(model.get(i));
            }
            assertThat(list.contentHash()).isEqualTo(same.contentHash());
            assertThat(list.bytes()).isEqualTo(same.bytes());
        }
    }
}
