package io.slipstream.benchmarks.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.slipstream.benchmarks.suite.Comparison;
import io.slipstream.benchmarks.suite.Contest;
import java.lang.reflect.Field;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The contests run, and find out whoever gives something else than what was published. */
class RingSuiteTest {
    private static final int EVENTS = 20_000;

    @ParameterizedTest
    @CsvSource({
        "UNICAST, 1, 1",
        "UNICAST, 1, 10",
        "UNICAST, 2, 1",
        "PIPELINE, 1, 1",
        "DIAMOND, 1, 1",
        "MULTICAST, 1, 10"
    })
    void addsUpEveryEvent(Shape shape, int publishers, int claim) throws Exception {
        assertBothRun(new EventContest(shape, publishers, claim, EVENTS, Event.OfEightLongs::new));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void addsUpEveryFrame(int publishers) throws Exception {
        assertBothRun(new FrameContest(publishers, 1, EVENTS, new AgronaRing()));
    }

    /** So many that the blocks of Aeron do not fit into its first term without padding. */
    @Test
    void addsUpEveryFrameOfSeveralInOneClaim() throws Exception {
        assertBothRun(new FrameContest(1, 10, EVENTS, new AgronaRing()));
        assertBothRun(new FrameContest(2, 10, EVENTS, (publishers, each) -> FrameContest.run(publishers, each, 1)));
        assertBothRun(new FrameContest(1, 10, 40 * EVENTS, new AeronIpc(10)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10})
    void addsUpEveryBurst(int claim) throws Exception {
        assertBothRun(new BurstContest(claim, 20));
    }

    /**
     * The Disruptor does not, with assertions: it wants one thread to publish ever, and the first ping comes from
     * another one.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void playsPingPong(boolean frames) throws Exception {
        try (Contest contest = new PingPongContest(50, frames, PingPongContest.MEDIAN)) {
            assertThat(contest.ours()).isPositive();
        }
    }

    private static void assertBothRun(Contest contest) throws Exception {
        try (contest) {
            assertThat(contest.ours()).isPositive();
            assertThat(contest.peer()).isPositive();
        }
    }

    /** Broken: gives the number of another event. */
    private static final class Wrong extends Event {
        @Override
        void write(long number) {
            value = number;
        }

        @Override
        long read() {
            return value + 1;
        }
    }

    @Test
    void findsOutEventsThatSaySomethingElse() throws Exception {
        try (Contest contest = new EventContest(Shape.DIAMOND, 1, 1, EVENTS, Wrong::new)) {
            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(contest::ours)
                    .withMessageContaining("a stage has the sum");
            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(contest::peer)
                    .withMessageContaining("a stage has the sum");
        }
    }

    /** Each of the eight in turn is not written. */
    @Test
    void findsOutEventsThatAreTorn() throws Exception {
        Event.OfEightLongs event = new Event.OfEightLongs();
        event.write(5);
        assertThat(event.read()).isEqualTo(5);
        for (Field part : Event.OfEightLongs.class.getDeclaredFields()) {
            event.write(5);
            part.setLong(event, part.getLong(event) + 1);
            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(event::read)
                    .withMessageContaining("event 5 is torn");
        }
    }

    @Test
    void findsOutAnAnswerToAnotherPing() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        PingPong.Pinger pinger = new PingPong.Pinger(new long[5], value -> {}, done);
        pinger.begin();
        pinger.returned(0);
        pinger.check();
        pinger.returned(2);
        done.await();
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(pinger::check)
                .withMessage("the answer to 1 was 2");
    }

    @Test
    void findsOutABurstThatIsHandledTwice() {
        BurstContest contest = new BurstContest(10, 20);
        LongConsumer once = first -> {
            for (long value = first; value < first + 10; value++) {
                contest.handle(value);
            }
        };
        assertThat(contest.measure(once)).isPositive();
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> contest.measure(once.andThen(once)))
                .withMessageContaining("has the sum");
    }

    @Test
    void findsOutAPeerThatLosesAFrame() throws Exception {
        FramePeer losing = (publishers, each) -> new FramePeer.Round(publishers * each * (each - 1) - 2, 1);
        try (Contest contest = new FrameContest(1, 1, EVENTS, losing)) {
            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(contest::peer)
                    .withMessageContaining("instead of");
        }
    }

    @Test
    void hasACaseForEachTargetOfTheRing() {
        assertThat(new RingSuite().comparisons(true))
                .hasSizeGreaterThanOrEqualTo(16)
                .extracting(Comparison::name)
                .contains(
                        "1 to 1, one event a claim",
                        "2 to 1",
                        "frames of 64 bytes, 2 to 1",
                        "ping-pong of frames, median");
    }
}
