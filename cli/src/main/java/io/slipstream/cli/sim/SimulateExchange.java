package io.slipstream.cli.sim;

import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;
import io.slipstream.exchange.service.ExchangeStateMachine;
import io.slipstream.exchange.wire.CommandWriter;
import io.slipstream.sim.service.Simulation;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import picocli.CommandLine.Command;

/** {@code slipstream sim exchange}. */
@Command(
        name = "exchange",
        mixinStandardHelpOptions = true,
        description = {
            "Runs the exchange with its clients on simulated disks, clocks and networks that fail.",
            "A life that breaks a promise is printed with its seed and what had to go wrong; --runs 1 with that seed "
                    + "plays it again, and --trace shows every event."
        })
final class SimulateExchange extends SimulateLives {
    private static final int INSTRUMENTS = 3;
    private static final int MOST_ORDERS = 1_000;
    private static final int IDS = 20;
    private static final OrderType[] TYPES = OrderType.values();

    @Override
    Simulation<?> simulation() {
        return Simulation.of(() -> new ExchangeStateMachine(INSTRUMENTS, MOST_ORDERS), SimulateExchange::random)
                .invariant(ExchangeStateMachine::requireNotCrossed);
    }

    private static byte[] random(RandomGenerator random) {
        int instrument = 1 + random.nextInt(INSTRUMENTS);
        long id = random.nextInt(IDS);
        long price = 1_000 + random.nextInt(-20, 21);
        long quantity = 1 + random.nextInt(50);
        int kind = random.nextInt(20);
        CommandWriter writer = new CommandWriter();
        if (kind < 4) {
            return writer.cancel(instrument, id).toBytes();
        }
        if (kind < 8) {
            return writer.replace(instrument, id, price, quantity).toBytes();
        }
        byte[] payload = writer.place(
                        instrument,
                        id,
                        random.nextBoolean() ? Side.BUY : Side.SELL,
                        kind < 16 ? OrderType.LIMIT : TYPES[random.nextInt(TYPES.length)],
                        price,
                        quantity)
                .toBytes();
        if (kind == 19) {
            payload = Arrays.copyOf(payload, random.nextInt(payload.length));
            random.nextBytes(payload);
        }
        return payload;
    }
}
