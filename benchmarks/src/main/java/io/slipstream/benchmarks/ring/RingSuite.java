package io.slipstream.benchmarks.ring;

import io.slipstream.benchmarks.suite.Comparison;
import io.slipstream.benchmarks.suite.Plan;
import io.slipstream.benchmarks.suite.Suite;
import io.slipstream.benchmarks.suite.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The rings of events and of frames. */
public final class RingSuite implements Suite {
    private static final String DISRUPTOR = "LMAX Disruptor 4.0.0";
    private static final Unit EVENTS = Unit.throughput("M events/s");
    private static final Unit FRAMES = Unit.throughput("M frames/s");
    private static final Unit NANOS = Unit.cost("ns");
    private static final int MANY = 20_000_000;
    private static final int FEWER = 8_000_000;
    private static final int ROUND_TRIPS = 300_000;

    @Override
    public String name() {
        return "ring";
    }

    @Override
    public List<String> jvmOptions() {
        return List.of("--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED", "-Xms1g", "-Xmx1g");
    }

    @Override
    public List<Comparison> comparisons(boolean quick) {
        Plan plan = quick ? new Plan(1, 2, 5) : Plan.FULL;
        List<Comparison> all = new ArrayList<>(List.of(
                events(plan, "1 to 1, one event a claim", 1.5, Shape.UNICAST, 1, 1, MANY, Event.OfOneLong::new),
                events(plan, "1 to 1, claims of ten", 1.5, Shape.UNICAST, 1, 10, MANY, Event.OfOneLong::new),
                events(plan, "1 to 1, events of 64 bytes", null, Shape.UNICAST, 1, 1, MANY, Event.OfEightLongs::new),
                events(plan, "2 to 1", 2.0, Shape.UNICAST, 2, 1, FEWER, Event.OfOneLong::new),
                events(plan, "pipeline of three", 1.2, Shape.PIPELINE, 1, 1, FEWER, Event.OfOneLong::new),
                events(plan, "diamond", 1.2, Shape.DIAMOND, 1, 1, FEWER, Event.OfOneLong::new),
                events(plan, "1 to 3 multicast", 1.2, Shape.MULTICAST, 1, 1, FEWER, Event.OfOneLong::new),
                frames(plan, "frames of 64 bytes, 1 to 1", "Agrona 2.4.1 OneToOneRingBuffer", 3.0, 1, AgronaRing::new),
                frames(
                        plan,
                        "frames of 64 bytes, 1 to 1",
                        "Aeron 1.51.0 IPC exclusive tryClaim",
                        2.0,
                        1,
                        AeronIpc::new),
                frames(plan, "frames of 64 bytes, 2 to 1", "Agrona 2.4.1 ManyToOneRingBuffer", 2.0, 2, AgronaRing::new),
                framesInTens(plan, "Agrona 2.4.1 OneToOneRingBuffer, one by one", AgronaRing::new),
                framesInTens(plan, "Aeron 1.51.0 IPC exclusive offerBlock", () -> new AeronIpc(10)),
                framesInTens(
                        plan,
                        "the same ring, one by one",
                        () -> (publishers, each) -> FrameContest.run(publishers, each, 1)),
                pingPong(plan, "ping-pong of two rings, median", false, PingPongContest.MEDIAN),
                pingPong(plan, "ping-pong of two rings, 99.9 %", false, PingPongContest.P999),
                pingPong(plan, "ping-pong of frames, median", true, PingPongContest.MEDIAN),
                pingPong(plan, "ping-pong of frames, 99.9 %", true, PingPongContest.P999),
                burst(plan, "burst of ten, parked consumer", 1),
                burst(plan, "burst of ten in one claim, parked consumer", 10)));
        if (FloorContest.hasCompiler()) {
            all.add(floor(plan, "ping-pong of two rings, median", false, PingPongContest.MEDIAN));
            all.add(floor(plan, "ping-pong of two rings, 99.9 %", false, PingPongContest.P999));
            all.add(floor(plan, "ping-pong of frames, median", true, PingPongContest.MEDIAN));
            all.add(floor(plan, "ping-pong of frames, 99.9 %", true, PingPongContest.P999));
        }
        return List.copyOf(all);
    }

    private static Comparison events(
            Plan plan,
            String name,
            @Nullable Double target,
            Shape shape,
            int publishers,
            int claim,
            int events,
            Supplier<Event> factory) {
        return new Comparison(
                name,
                EVENTS,
                DISRUPTOR,
                target,
                plan,
                () -> new EventContest(shape, publishers, claim, events, factory));
    }

    private static Comparison pingPong(Plan plan, String name, boolean frames, int percentile) {
        return new Comparison(
                name, NANOS, DISRUPTOR, 0.9, plan, () -> new PingPongContest(ROUND_TRIPS, frames, percentile));
    }

    private static Comparison burst(Plan plan, String name, int claim) {
        return new Comparison(name, Unit.cost("µs"), DISRUPTOR + " blocking", 1.0, plan, () -> new BurstContest(claim));
    }

    private static Comparison floor(Plan plan, String name, boolean frames, int percentile) {
        return new Comparison(
                name,
                NANOS,
                "C++, two padded atomics",
                1.15,
                plan,
                () -> new FloorContest(ROUND_TRIPS, frames, percentile));
    }

    private static Comparison frames(
            Plan plan, String name, String peerName, double target, int publishers, Supplier<FramePeer> peer) {
        return new Comparison(
                name, FRAMES, peerName, target, plan, () -> new FrameContest(publishers, 1, FEWER, peer.get()));
    }

    private static Comparison framesInTens(Plan plan, String peerName, Supplier<FramePeer> peer) {
        return new Comparison(
                "frames of 64 bytes, 1 to 1, claims of ten",
                FRAMES,
                peerName,
                null,
                plan,
                () -> new FrameContest(1, 10, FEWER, peer.get()));
    }
}
