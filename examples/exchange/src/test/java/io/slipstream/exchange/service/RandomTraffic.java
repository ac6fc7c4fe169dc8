package io.slipstream.exchange.service;

import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;
import io.slipstream.service.machine.Output;
import java.util.SplittableRandom;

/** Commands as several sessions would give them, most of them sensible; the same for the same seed. */
final class RandomTraffic {
    static final int INSTRUMENTS = 4;
    static final int SESSIONS = 5;
    static final int IDS = 100;

    private static final OrderType[] TYPES = OrderType.values();

    private final Desk desk;
    private final SplittableRandom random;

    RandomTraffic(Desk desk, long seed) {
        this.desk = desk;
        this.random = new SplittableRandom(seed);
    }

    void next(Output output) {
        int instrument = 1 + random.nextInt(INSTRUMENTS);
        long session = 1 + random.nextInt(SESSIONS);
        long id = random.nextInt(IDS);
        long price = 1_000 + random.nextInt(-50, 51);
        long quantity = 1 + random.nextInt(50);
        switch (random.nextInt(8)) {
            case 0, 1 -> desk.cancel(output, session, instrument, id);
            case 2, 3 -> desk.replace(output, session, instrument, id, price, quantity);
            case 4 ->
                desk.place(
                        output,
                        session,
                        instrument,
                        id,
                        Side.BUY,
                        TYPES[random.nextInt(TYPES.length)],
                        price,
                        quantity);
            case 5, 6 -> desk.place(output, session, instrument, id, Side.BUY, OrderType.LIMIT, price, quantity);
            default -> desk.place(output, session, instrument, id, Side.SELL, OrderType.LIMIT, price, quantity);
        }
    }
}
