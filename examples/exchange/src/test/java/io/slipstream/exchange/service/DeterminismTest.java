package io.slipstream.exchange.service;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class DeterminismTest {
    @Test
    void theSameCommandsGiveTheSameOutputsAndTheSameState() {
        long seed = System.nanoTime();
        ExchangeStateMachine first = machine();
        ExchangeStateMachine second = machine();
        RandomTraffic firstTraffic = new RandomTraffic(new Desk(first), seed);
        RandomTraffic secondTraffic = new RandomTraffic(new Desk(second), seed);
        SentOutputs firstSent = new SentOutputs();
        SentOutputs secondSent = new SentOutputs();
        for (int i = 1; i <= 50_000; i++) {
            firstTraffic.next(firstSent.clear());
            secondTraffic.next(secondSent.clear());
            if (!firstSent.events().equals(secondSent.events())
                    || firstSent.answer().mismatch(secondSent.answer()) != -1) {
                throw new AssertionError("seed " + seed + ", command " + i);
            }
            if (i % 5_000 == 0) {
                long session = 1 + i / 5_000 % RandomTraffic.SESSIONS;
                first.onSessionClose(session, firstSent.clear());
                second.onSessionClose(session, secondSent.clear());
                assertThat(first.stateHash())
                        .as("seed " + seed + ", command " + i)
                        .isEqualTo(second.stateHash());
            }
        }
        assertThat(first.restingOrders()).isPositive();
    }

    @Test
    void anotherCommandGivesAnotherState() {
        ExchangeStateMachine first = machine();
        ExchangeStateMachine second = machine();
        RandomTraffic firstTraffic = new RandomTraffic(new Desk(first), 1);
        RandomTraffic secondTraffic = new RandomTraffic(new Desk(second), 2);
        SentOutputs sent = new SentOutputs();
        for (int i = 0; i < 100; i++) {
            firstTraffic.next(sent.clear());
            secondTraffic.next(sent.clear());
        }
        assertThat(first.stateHash()).isNotEqualTo(second.stateHash());
    }

    private static ExchangeStateMachine machine() {
        return new ExchangeStateMachine(RandomTraffic.INSTRUMENTS, 1_000);
    }
}
