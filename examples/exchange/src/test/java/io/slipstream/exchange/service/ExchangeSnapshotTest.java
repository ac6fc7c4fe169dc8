package io.slipstream.exchange.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;
import io.slipstream.exchange.wire.CommandWriter;
import io.slipstream.service.testing.TestClient;
import io.slipstream.service.testing.TestService;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** An exchange goes on behind a snapshot as one does that has replayed all of its log. */
class ExchangeSnapshotTest {
    private static final int INSTRUMENTS = 3;
    private static final int MAX_ORDERS = 60;
    private static final OrderType[] TYPES = OrderType.values();

    private final CommandWriter writer = new CommandWriter();

    @Test
    void goesOnBehindASnapshotAsBehindAReplayOfEverything() {
        long seed = System.nanoTime();
        try (TestService<ExchangeStateMachine> saved = exchange();
                TestService<ExchangeStateMachine> replayed = exchange()) {
            SplittableRandom random = new SplittableRandom(seed);
            List<TestClient> ours = new ArrayList<>();
            List<TestClient> theirs = new ArrayList<>();
            for (int step = 0; step < 3_000; step++) {
                if (ours.size() < 4) {
                    ours.add(saved.connect());
                    theirs.add(replayed.connect());
                }
                int who = random.nextInt(ours.size());
                if (random.nextInt(200) == 0) {
                    ours.remove(who).close();
                    theirs.remove(who).close();
                } else {
                    byte[] command = command(random);
                    assertThat(ours.get(who).call(command).payload())
                            .as("seed %d, step %d", seed, step)
                            .isEqualTo(theirs.get(who).call(command).payload());
                }
                if (step % 300 == 299) {
                    saved.restartFromSnapshot();
                    replayed.restart();
                    assertThat(saved.stateHash())
                            .as("seed %d, step %d", seed, step)
                            .isEqualTo(replayed.stateHash());
                }
            }
            assertThat(saved.machine().restingOrders()).isPositive();
        }
    }

    private static TestService<ExchangeStateMachine> exchange() {
        return TestService.of(() -> new ExchangeStateMachine(INSTRUMENTS, MAX_ORDERS));
    }

    private byte[] command(SplittableRandom random) {
        int instrument = random.nextInt(1, INSTRUMENTS + 1);
        long id = random.nextInt(20);
        long price = random.nextLong(95, 106);
        long quantity = random.nextLong(1, 20);
        CommandWriter written = switch (random.nextInt(10)) {
            case 0 -> writer.cancel(instrument, id);
            case 1, 2 -> writer.replace(instrument, id, price, quantity);
            default ->
                writer.place(
                        instrument,
                        id,
                        random.nextBoolean() ? Side.BUY : Side.SELL,
                        random.nextInt(4) == 0 ? TYPES[random.nextInt(TYPES.length)] : OrderType.LIMIT,
                        price,
                        quantity);
        };
        MemorySegment memory = written.memory().asSlice(0, written.length());
        return memory.toArray(ValueLayout.JAVA_BYTE);
    }
}
