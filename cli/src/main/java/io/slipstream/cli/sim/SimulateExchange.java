package io.slipstream.cli.sim;

import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;
import io.slipstream.exchange.service.ExchangeStateMachine;
import io.slipstream.exchange.wire.CancelCommand;
import io.slipstream.exchange.wire.PlaceCommand;
import io.slipstream.exchange.wire.ReplaceCommand;
import io.slipstream.sim.service.Simulation;
import picocli.CommandLine.Command;

import java.lang.foreign.MemorySegment;
import java.util.random.RandomGenerator;

/** {@code slipstream sim exchange}. */
@Command(name = "exchange", mixinStandardHelpOptions = true,
        description = {"Runs the exchange with its clients on simulated disks, clocks and networks that fail.",
            "A life that breaks a promise is printed with its seed and what had to go wrong; --runs 1 with that seed "
            + "plays it again, and --trace shows every event."})
final class SimulateExchange extends SimulateLives {
    private static final int INSTRUMENTS = 3;
    private static final int MOST_ORDERS = 1_000;
    private static final int IDS = 20;
    private static final OrderType[] TYPES = OrderType.values();

    @Override
    Simulation<?> simulation() {
        return Simulation.of(() -> new ExchangeStateMachine(INSTRUMENTS, MOST_ORDERS), SimulateExchange::random);
    }

    private static byte[] random(RandomGenerator random) {
        int instrument = 1 + random.nextInt(INSTRUMENTS);
        long id = random.nextInt(IDS);
        long price = 1_000 + random.nextInt(-20, 21);
        long quantity = 1 + random.nextInt(50);
        int kind = random.nextInt(20);
        byte[] payload = new byte[kind < 4 ? CancelCommand.BYTES
                : kind < 8 ? ReplaceCommand.BYTES
                : kind < 19 ? PlaceCommand.BYTES : random.nextInt(PlaceCommand.BYTES)];
        MemorySegment memory = MemorySegment.ofArray(payload);
        if (kind < 4) {
            CancelCommand.encode(memory, 0, instrument, id);
        } else if (kind < 8) {
            ReplaceCommand.encode(memory, 0, instrument, id, price, quantity);
        } else if (kind < 19) {
            PlaceCommand.encode(memory, 0, instrument, id, random.nextBoolean() ? Side.BUY : Side.SELL,
                    kind < 16 ? OrderType.LIMIT : TYPES[random.nextInt(TYPES.length)], price, quantity);
        } else {
            random.nextBytes(payload);
        }
        return payload;
    }
}
