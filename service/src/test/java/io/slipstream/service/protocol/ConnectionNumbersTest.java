package io.slipstream.service.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConnectionNumbersTest {
    private long random = 0x1234_5678_9ABC_DEF0L;
    private final ConnectionNumbers numbers = new ConnectionNumbers(() -> random);

    @Test
    void theyGrow() {
        long first = numbers.next();
        long second = numbers.next();
        assertThat(first).isEqualTo(0x1234_5678_9A00_0001L);
        assertThat(ConnectionNumbers.isEarlier(first, second)).isTrue();
        assertThat(ConnectionNumbers.isEarlier(second, first)).isFalse();
        assertThat(ConnectionNumbers.isEarlier(first, first)).isFalse();
    }

    @Test
    void thoseOfOthersAndNoneAreNotEarlier() {
        long mine = numbers.next();
        random = 77L << 24;
        long another = new ConnectionNumbers(() -> random).next();
        assertThat(ConnectionNumbers.isEarlier(another, mine)).isFalse();
        assertThat(ConnectionNumbers.isEarlier(mine, another)).isFalse();
        assertThat(ConnectionNumbers.isEarlier(0, mine)).isFalse();
        assertThat(ConnectionNumbers.isEarlier(mine, 0)).isFalse();
    }

    @Test
    void behindTheLastOneSomebodyElseCounts() {
        random = -1;
        ConnectionNumbers counted = new ConnectionNumbers(() -> random);
        long last = 0;
        for (int i = 1; i < 1 << 24; i++) {
            last = counted.next();
        }
        assertThat(last).isEqualTo(-1);
        random = 77L << 24;
        assertThat(counted.next()).isEqualTo((77L << 24) + 1);
    }
}
