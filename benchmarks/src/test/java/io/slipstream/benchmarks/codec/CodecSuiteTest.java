package io.slipstream.benchmarks.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.slipstream.benchmarks.codec.CodecContest.Operation;
import io.slipstream.data.codec.Codec;
import org.junit.jupiter.api.Test;

/** Kryo and Fory are left to the suite itself: they do not run where {@code sun.misc.Unsafe} is denied. */
class CodecSuiteTest {
    @Test
    void readsTheOrdersThatSbeReads() throws Exception {
        CodecContest contest = new CodecContest(Operation.READ_PRICE, new OurFlyweight(), new SbeOrders(), 1);
        assertThat(contest.ours()).isPositive();
        assertThat(contest.peer()).isPositive();
    }

    @Test
    void readsTheThingsThatSbeReads() throws Exception {
        CodecContest contest = new CodecContest(Operation.READ, new OurThings(), new SbeThings(), 1);
        assertThat(contest.ours()).isPositive();
    }

    @Test
    void writesBothInTheSameNumberOfBytes() throws Exception {
        assertThat(new OurThings().write(1)).isEqualTo(new SbeThings().write(1)).isEqualTo(185);
        assertThat(new OurFlyweight().write(1))
                .isEqualTo(new SbeOrders().write(1))
                .isEqualTo(45);
    }

    @Test
    void findsOutAWayThatReadsSomethingElse() {
        Codec<Thing> codec = Codec.of(Thing.class);
        assertThatIllegalStateException()
                .isThrownBy(() -> new CodecContest(
                        Operation.READ,
                        Ways.ours(codec, Ways.things(), Thing::sum),
                        Ways.java(Thing.class, Ways.things(), t -> t.sum() + 1),
                        1))
                .withMessageContaining("another value 0");
    }
}
