package io.slipstream.exchange.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.service.machine.Output;
import io.slipstream.testkit.Allocations;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

final class AllocationTest {
    private static final int COMMANDS = 1_000_000;

    private final ExchangeStateMachine machine = new ExchangeStateMachine(RandomTraffic.INSTRUMENTS, 1_000);
    private final Desk desk = new Desk(machine);
    private final RandomTraffic traffic = new RandomTraffic(desk, 42);
    private final Counter counter = new Counter();

    @Test
    void allocatesNothingOnceItIsWarm() throws Exception {
        // One object for each thousand commands would be 16,000 bytes.
        Allocations.none(this::trade);
        assertThat(counter.replies).isEqualTo(COMMANDS + 3L * (COMMANDS / 10));
        assertThat(counter.events).isGreaterThan(COMMANDS / 8);
    }

    private void trade() {
        counter.replies = 0;
        counter.events = 0;
        for (int i = 0; i < COMMANDS; i++) {
            traffic.next(counter);
            if (i % 10 == 0) {
                int instrument = 1 + i % RandomTraffic.INSTRUMENTS;
                desk.topOfBook(counter, instrument);
                desk.depth(counter, instrument, 10);
                desk.order(counter, 1 + i % RandomTraffic.SESSIONS, i % RandomTraffic.IDS);
            }
        }
    }

    private static final class Counter implements Output {
        private long replies;
        private long events;

        @Override
        public void reply(MemorySegment memory, long offset, int length) {
            replies++;
        }

        @Override
        public void event(long session, MemorySegment memory, long offset, int length) {
            events++;
        }
    }
}
