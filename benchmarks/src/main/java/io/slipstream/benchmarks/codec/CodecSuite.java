package io.slipstream.benchmarks.codec;

import io.slipstream.benchmarks.codec.CodecContest.Operation;
import io.slipstream.benchmarks.suite.Comparison;
import io.slipstream.benchmarks.suite.Plan;
import io.slipstream.benchmarks.suite.Suite;
import io.slipstream.benchmarks.suite.Unit;
import io.slipstream.data.codec.Codec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** {@code benchmarks/run codec}. */
public final class CodecSuite implements Suite {
    private static final Codec<Order> ORDERS = Codec.of(Order.class);
    private static final Codec<Thing> THINGS = Codec.of(Thing.class);
    private static final Unit NANOS = Unit.cost("ns/value");
    private static final String SBE = "SBE 1.38.1";
    private static final int PASSES = 500;

    /** A peer that makes new records, with the target and the passes in a round. */
    private record Peer(String name, double target, int passes, Maker maker) {}

    /** Makes a way for any type. */
    private interface Maker {
        <T> Way make(Class<T> type, T[] values, ToLongFunction<T> sum);
    }

    @Override
    public String name() {
        return "codec";
    }

    @Override
    public List<Comparison> comparisons(boolean quick) {
        Plan plan = Plan.of(quick);
        List<Comparison> all = new ArrayList<>();
        add(all, plan, "order of six fields", SBE, 1.0, PASSES, OurFlyweight::new, SbeOrders::new);
        all.add(new Comparison(
                "one field of an order",
                NANOS,
                SBE,
                1.0,
                plan,
                () -> new CodecContest(Operation.READ_PRICE, new OurFlyweight(), new SbeOrders(), PASSES)));
        add(all, plan, "object of B14", SBE, 1.0, PASSES, OurThings::new, SbeThings::new);
        List<Peer> peers = List.of(
                new Peer("Kryo 5.6.2, registered", 0.25, PASSES, Ways::kryo),
                new Peer("Fory 1.6.0, registered", 0.6, PASSES, Ways::fory),
                new Peer("Java serialization", 0.01, 20, Ways::java));
        for (Peer peer : peers) {
            add(
                    all,
                    plan,
                    "record of six fields",
                    peer.name,
                    peer.target,
                    peer.passes,
                    () -> Ways.ours(ORDERS, Ways.orders(), Order::sum),
                    () -> peer.maker.make(Order.class, Ways.orders(), Order::sum));
            add(
                    all,
                    plan,
                    "record of B14",
                    peer.name,
                    peer.target,
                    peer.passes,
                    () -> Ways.ours(THINGS, Ways.things(), Thing::sum),
                    () -> peer.maker.make(Thing.class, Ways.things(), Thing::sum));
        }
        return all;
    }

    private static void add(
            List<Comparison> all,
            Plan plan,
            String name,
            String peerName,
            double target,
            int passes,
            Supplier<Way> ours,
            Supplier<Way> peer) {
        for (Operation operation : List.of(Operation.WRITE, Operation.READ)) {
            all.add(new Comparison(
                    name + ", " + (operation == Operation.WRITE ? "write" : "read"),
                    NANOS,
                    peerName,
                    target,
                    plan,
                    () -> new CodecContest(operation, ours.get(), peer.get(), passes)));
        }
    }

    /** What SBE needs, by Agrona, and what keeps Kryo and Fory from warning. */
    @Override
    public List<String> jvmOptions() {
        return List.of(
                "-Xms1g",
                "-Xmx1g",
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow");
    }
}
