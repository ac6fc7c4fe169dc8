package io.slipstream.core;

import io.slipstream.core.affinity.Affinity;
import io.slipstream.core.counters.CounterType;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.counters.FlightCounters;
import io.slipstream.core.executor.LockFreeExecutor;
import io.slipstream.core.frame.Frame;
import io.slipstream.core.graph.EventGraph;
import io.slipstream.core.graph.FrameGraph;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.Opened;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;

/** A program in a container: counters, a recording, an executor and rings with threads; it ends, not the process. */
public final class Redeployed {
    private Redeployed() {}

    public static void main(String[] arguments) throws Exception {
        try (Opened opened = new Opened()) {
            Counters counters = opened.add(Counters.createDefault(16));
            counters.add(CounterType.COUNT, "redeployed", "events").addRelease(1);
            record(counters.file(), Path.of(arguments[0], "recording.jfr"), opened);
            LockFreeExecutor executor = opened.add(
                    LockFreeExecutor.builder().name("redeployed").workers(2).build());
            Await.done(executor.submit(() -> 1));
            Await.done(executor.schedule(() -> 1, 1, TimeUnit.MILLISECONDS));
            events(opened);
            frames(opened);
            Affinity.ofCurrentThread().flatMap(Affinity::tryPinCurrentThread);
            Affinity.unpinCurrentThread();
        }
    }

    private static void record(Path counters, Path into, Opened opened) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader own = thread.getContextClassLoader();
        // The first recording of a process starts a thread of the JDK, which keeps what it inherits.
        thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
        Recording recording = opened.add(new Recording());
        thread.setContextClassLoader(own);
        opened.add(FlightCounters.start(counters));
        recording.start();
        recording.stop();
        recording.dump(into);
    }

    private static void events(Opened opened) throws Exception {
        RingBuffer<long[]> ring = RingBuffer.forManyPublishers(() -> new long[1], 16);
        EventGraph<long[]> graph = opened.add(EventGraph.of(ring));
        graph.handleEventsWith((event, sequence, endOfBatch) -> event[0]++);
        graph.start(WaitStrategy.parking());
        for (int i = 0; i < 40; i++) {
            ring.publish(ring.claim());
        }
        graph.drain(Await.PATIENCE);
    }

    private static void frames(Opened opened) throws Exception {
        FrameRing ring = FrameRing.forManyPublishers(1 << 12, WaitStrategy.parking());
        FrameGraph graph = opened.add(FrameGraph.of(ring));
        graph.handleFramesWith((memory, offset, length, endOfBatch) -> {});
        graph.start(WaitStrategy.parking());
        for (int i = 0; i < 100; i++) {
            ring.publish(ring.claim(Frame.HEADER_BYTES + 8));
        }
        graph.drain(Await.PATIENCE);
    }
}
