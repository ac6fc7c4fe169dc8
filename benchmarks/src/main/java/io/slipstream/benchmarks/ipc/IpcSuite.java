package io.slipstream.benchmarks.ipc;

import io.slipstream.benchmarks.ipc.ProcessesContest.Figure;
import io.slipstream.benchmarks.suite.Comparison;
import io.slipstream.benchmarks.suite.Plan;
import io.slipstream.benchmarks.suite.Suite;
import io.slipstream.benchmarks.suite.Unit;
import java.util.ArrayList;
import java.util.List;

/** Channels between processes. */
public final class IpcSuite implements Suite {
    private static final String AERON = "Aeron 1.51.0 IPC ";
    private static final String C = "C on the same layout";
    private static final String TCP = "TCP loopback";
    private static final Unit MESSAGES = Unit.throughput("M messages/s");
    private static final Unit BYTES = Unit.throughput("GB/s");
    private static final Unit NANOS = Unit.cost("ns");
    private static final Unit MILLIS = Unit.cost("ms");

    /* Aeron takes 10 s and more for each. */
    private static final Plan DEATHS = new Plan(1, 0, 3);
    private static final int COMMANDS = 20_000;
    private static final int BROKERED = 5_000_000;
    private static final int BROKER_ROUNDS = 5;
    private static final List<String> ONE_WAY = List.of("subscriber", "publisher");
    private static final List<String> TWO_TO_ONE = List.of("subscriber", "publisher", "publisher");
    private static final List<String> TWO_TO_THREE =
            List.of("subscriber", "subscriber", "subscriber", "publisher", "publisher");
    private static final List<String> TWO_WAYS = List.of("ping", "pong");
    private static final int MANY = 4_000_000;
    private static final int FEWER = 1_000_000;
    private static final int TRIPS = 100_000;
    private static final int SLEEPING_TRIPS = 5_000;
    /** The slowest trip of a thousand grows shorter for so many rounds of 50 ms in a new JVM, whatever it runs. */
    private static final int ROUNDS_UNTIL_STEADY = 20;

    private static final int SMALL = Link.SMALL_BYTES;
    private static final int MEDIUM = 1024;
    private static final int LARGE = 65536;

    @Override
    public String name() {
        return "ipc";
    }

    /** Aeron's agent reaches for the JDK's Unsafe in this process, too, where it measures deaths. */
    @Override
    public List<String> jvmOptions() {
        return List.of("--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");
    }

    @Override
    public List<Comparison> comparisons(boolean quick) {
        Plan plan = quick ? new Plan(1, 2, 5) : Plan.FULL;
        List<Comparison> all = new ArrayList<>(List.of(
                comparison(
                        plan,
                        "64 bytes, 1 to 1",
                        MESSAGES,
                        AERON + "exclusive tryClaim",
                        2.0,
                        "slipstream",
                        "aeron-claim",
                        ONE_WAY,
                        SMALL,
                        MANY),
                comparison(
                        plan,
                        "64 bytes, 1 to 1",
                        MESSAGES,
                        AERON + "exclusive offer",
                        1.5,
                        "slipstream",
                        "aeron-offer",
                        ONE_WAY,
                        SMALL,
                        MANY),
                comparison(
                        plan,
                        "64 bytes, 2 to 1",
                        MESSAGES,
                        AERON + "tryClaim",
                        1.5,
                        "slipstream-many",
                        "aeron-shared",
                        TWO_TO_ONE,
                        SMALL,
                        FEWER),
                comparison(
                        plan,
                        "64 bytes, 2 to 3",
                        MESSAGES,
                        AERON + "tryClaim",
                        1.5,
                        "slipstream-many",
                        "aeron-shared",
                        TWO_TO_THREE,
                        SMALL,
                        FEWER / 2),
                comparison(
                        plan,
                        "1 KB, 1 to 1",
                        BYTES,
                        AERON + "exclusive offer",
                        1.5,
                        "slipstream",
                        "aeron-offer",
                        ONE_WAY,
                        MEDIUM,
                        FEWER),
                comparison(
                        plan,
                        "64 KB, 1 to 1",
                        BYTES,
                        AERON + "exclusive offer",
                        1.5,
                        "slipstream",
                        "aeron-offer",
                        ONE_WAY,
                        LARGE,
                        FEWER / 20),
                comparison(
                        plan,
                        "request and reply, sleeping, median",
                        NANOS,
                        TCP,
                        0.5,
                        "slipstream-sleeping",
                        "tcp",
                        TWO_WAYS,
                        SMALL,
                        SLEEPING_TRIPS)));
        all.addAll(roundTrips(plan, AERON + "exclusive tryClaim", 0.8, 0.8, "aeron-claim"));
        for (boolean spins : new boolean[] {true, false}) {
            all.add(new Comparison(
                    "service command at PROCESS, one in flight, " + (spins ? "spinning" : "parking") + ", median",
                    NANOS,
                    "own client by " + TCP,
                    spins ? 0.4 : 0.7,
                    plan,
                    () -> new ServiceContest(spins, COMMANDS)));
        }
        all.add(new Comparison(
                "client, broker, consumer",
                MESSAGES,
                "the same by " + TCP,
                10.0,
                new Plan(1, 0, BROKER_ROUNDS),
                () -> new BrokerContest(BROKERED)));
        all.add(new Comparison(
                "SIGKILL of a subscriber, until publishers go on",
                MILLIS,
                AERON + "tryClaim",
                null,
                DEATHS,
                () -> new DeathContest(DeathContest.Victim.SUBSCRIBER)));
        all.add(new Comparison(
                "SIGKILL of a publisher in a claim, until subscribers go on",
                MILLIS,
                AERON + "tryClaim",
                null,
                DEATHS,
                () -> new DeathContest(DeathContest.Victim.PUBLISHER)));
        if (IceoryxProgram.isThere()) {
            all.addAll(roundTrips(plan, IceoryxProgram.NAME, 1.0, 1.0, "iceoryx"));
            all.add(comparison(
                    plan,
                    "64 bytes, 1 to 1",
                    MESSAGES,
                    IceoryxProgram.NAME,
                    1.0,
                    "slipstream",
                    "iceoryx",
                    ONE_WAY,
                    SMALL,
                    FEWER));
        }
        if (CProgram.hasCompiler()) {
            all.addAll(roundTrips(plan, C, 1.15, 1.15, "c"));
            all.add(comparison(
                    plan, "1 KB, 1 to 1", BYTES, C + ", memcpy", 0.7, "slipstream", "c", ONE_WAY, MEDIUM, FEWER));
            all.add(comparison(
                    plan, "64 KB, 1 to 1", BYTES, C + ", memcpy", 0.7, "slipstream", "c", ONE_WAY, LARGE, FEWER / 20));
        }
        return List.copyOf(all);
    }

    private static List<Comparison> roundTrips(Plan given, String peerName, double median, double p999, String peer) {
        Plan plan = new Plan(given.jvms(), Math.max(given.warmups(), ROUNDS_UNTIL_STEADY), given.rounds());
        return List.of(
                new Comparison(
                        "request and reply, spinning, median",
                        NANOS,
                        peerName,
                        median,
                        plan,
                        () -> new ProcessesContest("slipstream", peer, TWO_WAYS, SMALL, TRIPS, Figure.MEDIAN)),
                new Comparison(
                        "request and reply, spinning, 99.9 %",
                        NANOS,
                        peerName,
                        p999,
                        plan,
                        () -> new ProcessesContest("slipstream", peer, TWO_WAYS, SMALL, TRIPS, Figure.P999)));
    }

    private static Comparison comparison(
            Plan plan,
            String name,
            Unit unit,
            String peerName,
            double target,
            String ours,
            String peer,
            List<String> roles,
            int bytes,
            long count) {
        Figure figure = unit == MESSAGES
                ? Figure.MILLIONS_PER_SECOND
                : unit == BYTES ? Figure.GIGABYTES_PER_SECOND : Figure.MEDIAN;
        return new Comparison(
                name,
                unit,
                peerName,
                target,
                plan,
                () -> new ProcessesContest(ours, peer, roles, bytes, count, figure));
    }
}
