package io.slipstream.sim.service;

import io.slipstream.sim.example.Shop;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Lives of a twin, for whoever has loaded it; with types that both sides know. */
public final class TwinLives {
    private TwinLives() {}

    /** As {@link #firstFinding}, of a shop whose news are long, and of a client that reads them slowly. */
    public static String firstFindingOfSlowReader(int mostSeeds) {
        return firstFinding(slowReaders(), mostSeeds);
    }

    /** As {@link #firstFinding}, of a log of many segments, and of a machine that often loses its power. */
    public static String firstFindingOfLongLog(int mostSeeds) {
        return firstFinding(longLogs(), mostSeeds);
    }

    /** As {@link #firstFinding}, of a machine that loses its power each second, at no chosen moment. */
    public static String firstFindingOfPowerCuts(int mostSeeds) {
        return firstFinding(powerCuts(), mostSeeds);
    }

    /** As {@link #firstFinding}, of a machine whose disk decays. */
    public static String firstFindingOfRot(int mostSeeds) {
        return firstFinding(rot(), mostSeeds);
    }

    /** As {@link #firstFinding}, of clients that lose their connections again and again. */
    public static String firstFindingOfStorms(int mostSeeds) {
        return firstFinding(storms(), mostSeeds);
    }

    /** Returns lives in which all connections are lost again and again, and requests are refused as late. */
    static Simulation<Shop> storms() {
        return Simulation.of(Shop::new, Shop::random)
                .commands(600)
                .disasters(LongStream.rangeClosed(1, 18)
                        .mapToObj(i -> i % 2 == 0
                                ? new Disaster(i * 500_000_000, Disaster.Kind.RECONNECT_STORM, (int) i)
                                : new Disaster(i * 500_000_000, Disaster.Kind.RARE_WAYS, 700))
                        .toArray(Disaster[]::new));
    }

    /** As {@link #firstFinding}, of a shop with subscribers whose service is often out of memory for one of them. */
    public static String firstFindingOfRareWays(int mostSeeds) {
        return firstFinding(rareWays(), mostSeeds);
    }

    /** Returns lives in which the code takes its rare ways, and much is published. */
    static Simulation<Shop> rareWays() {
        return Simulation.of(Shop::new, TwinLives::longCommand)
                .topics(Shop.NEWS)
                .clients(6)
                .commands(400)
                .disasters(LongStream.rangeClosed(1, 9)
                        .mapToObj(i -> new Disaster(i * 1_000_000_000, Disaster.Kind.RARE_WAYS, 100))
                        .toArray(Disaster[]::new));
    }

    /** Returns lives in which a file is damaged each second. */
    static Simulation<Shop> rot() {
        return Simulation.of(Shop::new, Shop::random)
                .disasters(LongStream.rangeClosed(1, 9)
                        .mapToObj(i -> new Disaster(i * 1_000_000_000, Disaster.Kind.BIT_ROT, (int) i))
                        .toArray(Disaster[]::new));
    }

    private static Simulation<Shop> powerCuts() {
        return Simulation.of(Shop::new, Shop::random)
                .disasters(LongStream.rangeClosed(1, 9)
                        .mapToObj(i -> new Disaster(i * 1_000_000_000, Disaster.Kind.POWER_CUT, 0))
                        .toArray(Disaster[]::new));
    }

    /** Returns lives in which many batches continue in the next segment, and power is lost in the middle of writes. */
    static Simulation<Shop> longLogs() {
        return Simulation.of(Shop::new, TwinLives::longCommand)
                .clients(6)
                .commands(400)
                .disasters(LongStream.rangeClosed(1, 9)
                        .mapToObj(i ->
                                new Disaster(i * 1_000_000_000, Disaster.Kind.POWER_CUT_IN_WRITE, (int) (i * 7 % 30)))
                        .toArray(Disaster[]::new));
    }

    private static byte[] longCommand(RandomGenerator random) {
        byte[] payload = new byte[2 + random.nextInt(1800)];
        payload[0] = (byte) random.nextInt(4);
        return payload;
    }

    /** Returns lives in which much is published, and a client reads slowly. */
    static Simulation<Shop> slowReaders() {
        return Simulation.of(Shop::new, TwinLives::longCommand)
                .topics(Shop.NEWS)
                .commands(400)
                .disasters(
                        new Disaster(500_000_000, Disaster.Kind.SLOW_READER, 0),
                        new Disaster(4_000_000_000L, Disaster.Kind.SLOW_READER, 1));
    }

    /** As {@link #firstFinding}, of a shop that is upgraded. */
    public static String firstFindingOfUpgrades(int mostSeeds) {
        return firstFinding(Simulation.of(Shop::new, Shop::random).upgrade(() -> new Shop(1)), mostSeeds);
    }

    /** Returns the first seed that shows that a promise is broken and what was found, or an empty text. */
    public static String firstFinding(int mostSeeds) {
        return firstFinding(Simulation.of(Shop::new, Shop::random).topics(Shop.NEWS), mostSeeds);
    }

    private static String firstFinding(Simulation<Shop> simulation, int mostSeeds) {
        for (int seed = 1; seed <= mostSeeds; seed++) {
            String finding = finding(simulation, seed);
            if (finding != null) {
                return "seed " + seed + ": " + finding;
            }
        }
        return "";
    }

    private static @Nullable String finding(Simulation<Shop> simulation, int seed) {
        try {
            return simulation.finding(seed);
        } catch (SimulationFailure failure) {
            return failure.finding();
        }
    }
}
