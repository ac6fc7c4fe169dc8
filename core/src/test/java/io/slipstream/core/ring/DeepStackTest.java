package io.slipstream.core.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.executor.LockFreeExecutor;
import io.slipstream.core.frame.Frame;
import io.slipstream.core.queue.BoundedQueue;
import io.slipstream.core.queue.GrowingManyToOneQueue;
import io.slipstream.core.queue.ManyToManyQueue;
import io.slipstream.core.queue.ManyToOneQueue;
import io.slipstream.core.queue.WaitingQueue;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.ChildJvm;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Threads of a recursion without end run out of stack somewhere in a call of what other threads use as well, which must
 * go on for those. Without the compiler every method of the way takes stack.
 */
class DeepStackTest {
    private static final int ROUNDS = 300;

    @Test
    void othersGoOn() throws Exception {
        assertGoesOn("1", "-Xint");
    }

    /** What is compiled needs less stack than what is done, for the first time, when it fails. */
    @Test
    void othersGoOnWhereItIsCompiled() throws Exception {
        assertGoesOn("20000");
    }

    private static void assertGoesOn(String warmUp, String... options) throws Exception {
        Process process = ChildJvm.of(DeepStackTest.class, List.of(options), warmUp)
                .redirectErrorStream(true)
                .start();
        int exitCode = Await.exitCode(process);
        String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(told).endsWith("executor goes on\n");
        assertThat(exitCode).isZero();
    }

    /** Something with room for a few; {@code take} is called by one thread alone, when nothing else runs. */
    private interface Shared {
        void add();

        /** Takes all that is there. */
        void drain() throws Exception;

        /** Adds as much as there is room for, and takes all of it. */
        void useAll() throws Exception;
    }

    static void main(String[] arguments) throws Exception {
        Map<String, Shared> all = new LinkedHashMap<>();
        all.put("frames", new Frames());
        all.put("events", new Events(false));
        all.put("pairs of events", new Events(true));
        all.put("many to one", new Elements(new ManyToOneQueue<>(16)));
        all.put("many to many", new Elements(new ManyToManyQueue<>(16)));
        all.put("growing", new Elements(new GrowingManyToOneQueue<>(16, 16)));
        all.put("waiting", new Waiting());
        all.put("executor", new Tasks());
        for (Map.Entry<String, Shared> shared : all.entrySet()) {
            useUp(shared.getValue(), Integer.parseInt(arguments[0]));
            System.out.println(shared.getKey() + " goes on");
        }
        System.exit(0);
    }

    private static void useUp(Shared shared, int warmUp) throws Exception {
        for (int i = 0; i < warmUp; i++) {
            shared.useAll();
        }
        for (int i = 0; i < ROUNDS; i++) {
            int round = i;
            Thread deep = new Thread(null, () -> shift(round % 29, round, shared), "deep-" + i, 128 * 1024);
            deep.start();
            deep.join();
            shared.drain();
            shared.useAll();
        }
    }

    /** Takes a little stack first, so that each round ends in another place. */
    private static void shift(int calls, long round, Shared shared) {
        if (calls > 0) {
            shift(calls - 1, round, shared);
        } else if (round % 2 == 0) {
            overflow(shared);
        } else {
            overflowInLongerSteps(shared, 1, 2, 3);
        }
    }

    private static void overflow(Shared shared) {
        try {
            overflow(shared);
            shared.add();
        } catch (StackOverflowError expected) {
            // Each caller tries, with a little more stack than the one before.
            try {
                shared.add();
            } catch (StackOverflowError again) {
                // Then the next.
            }
        }
    }

    private static long overflowInLongerSteps(Shared shared, long a, long b, long c) {
        try {
            return overflowInLongerSteps(shared, b, c, a) + a;
        } catch (StackOverflowError expected) {
            try {
                shared.add();
            } catch (StackOverflowError again) {
                // Then the next.
            }
            return b + c;
        }
    }

    private static final class Frames implements Shared {
        private static final int CAPACITY = 1024;

        private final FrameRing ring = FrameRing.forManyPublishers(CAPACITY, WaitStrategy.parking(), WhenFull.FAIL);
        private final FramePoller poller = ring.newPoller();

        @Override
        public void add() {
            ring.tryPublishFrame(20, (memory, offset, length, value) -> {}, this);
        }

        @Override
        public void drain() {
            while (poller.poll((memory, offset, length, end) -> {}, 100) > 0) {}
        }

        @Override
        public void useAll() {
            int frames = CAPACITY / Frame.align(Frame.HEADER_BYTES + 24);
            for (int i = 0; i < frames - 1; i++) {
                if (!ring.tryPublishFrame(24, (memory, offset, length, value) -> {}, this)) {
                    throw new IllegalStateException("there is room for " + i + " frames only");
                }
            }
            drain();
        }
    }

    private static final class Events implements Shared {
        private final RingBuffer<long[]> ring =
                RingBuffer.forManyPublishers(() -> new long[1], 16, WaitStrategy.parking(), WhenFull.FAIL);
        private final EventPoller<long[]> poller = ring.newPoller();
        private final boolean inPairs;

        Events(boolean inPairs) {
            this.inPairs = inPairs;
        }

        @Override
        public void add() {
            if (inPairs) {
                ring.tryPublishEvents((event, sequence, value) -> {}, new Object[] {"", ""});
            } else {
                ring.tryPublishEvent((event, sequence, value) -> {}, this);
            }
        }

        @Override
        public void drain() throws Exception {
            while (poller.poll((event, sequence, end) -> true, 100) > 0) {}
        }

        @Override
        public void useAll() throws Exception {
            for (int i = 0; i < ring.capacity(); i++) {
                if (!ring.tryPublishEvent((event, sequence, value) -> {}, this)) {
                    throw new IllegalStateException("there is room for " + i + " events only");
                }
            }
            drain();
        }
    }

    private static final class Elements implements Shared {
        private final BoundedQueue<String> queue;

        Elements(BoundedQueue<String> queue) {
            this.queue = queue;
        }

        @Override
        public void add() {
            queue.offer("one");
            if (queue instanceof ManyToManyQueue<String> many) {
                many.poll();
            }
        }

        @Override
        public void drain() {
            while (queue.poll() != null) {}
        }

        @Override
        public void useAll() {
            for (int i = 0; i < queue.capacity(); i++) {
                if (!queue.offer("one")) {
                    throw new IllegalStateException("there is room for " + i + " elements only");
                }
            }
            drain();
        }
    }

    private static final class Waiting implements Shared {
        private final WaitingQueue<Runnable> queue =
                new ManyToManyQueue<Runnable>(1 << 16).waiting(WaitStrategy.parking());

        Waiting() {
            Thread.ofPlatform().daemon().name("taker").start(() -> {
                try {
                    while (true) {
                        queue.take().run();
                    }
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
        }

        @Override
        public void add() {
            queue.offer(() -> {});
        }

        @Override
        public void drain() {
            // The taker does.
        }

        @Override
        public void useAll() throws InterruptedException {
            CountDownLatch ran = new CountDownLatch(1);
            queue.put(ran::countDown);
            if (!ran.await(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("an element is not taken");
            }
        }
    }

    private static final class Tasks implements Shared {
        private final LockFreeExecutor executor =
                LockFreeExecutor.builder().workers(1).capacity(1 << 16).build();

        @Override
        public void add() {
            executor.tryExecute(() -> {});
        }

        @Override
        public void drain() {
            // Its worker does.
        }

        @Override
        public void useAll() throws InterruptedException {
            CountDownLatch ran = new CountDownLatch(1);
            executor.execute(ran::countDown);
            if (!ran.await(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("a task does not run");
            }
        }
    }
}
