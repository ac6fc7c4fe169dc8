package io.slipstream.core.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.slipstream.core.thread.Signal;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What BlockingQueue promises, for each way of waiting. */
class WaitingQueueTest {
    private static final Set<Thread.State> PARKED = Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

    private static final WaitStrategy PARK_AT_ONCE = WaitStrategy.blocking(Duration.ofHours(1));

    static Stream<WaitStrategy> strategies() {
        return Stream.of(
                WaitStrategy.busySpin(),
                WaitStrategy.yielding(),
                WaitStrategy.backoff(),
                WaitStrategy.parking(),
                PARK_AT_ONCE);
    }

    private static void awaitWaiting(Thread thread) {
        while (!PARKED.contains(thread.getState())) {
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void takesWhatComesLater(WaitStrategy strategy) throws Exception {
        WaitingQueue<Integer> queue = new ManyToManyQueue<Integer>(2).waiting(strategy);
        FutureTask<Integer> taker = new FutureTask<>(queue::take);
        Thread.ofPlatform().start(taker);
        queue.put(7);
        assertThat(taker.get()).isEqualTo(7);
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void putsWhenThereIsRoomAgain(WaitStrategy strategy) throws Exception {
        WaitingQueue<Integer> queue = new ManyToManyQueue<Integer>(2).waiting(strategy);
        queue.put(1);
        queue.put(2);
        assertThat(queue.remainingCapacity()).isZero();
        FutureTask<Void> putter = new FutureTask<>(() -> {
            queue.put(3);
            return null;
        });
        Thread.ofPlatform().start(putter);
        assertThat(queue.take()).isEqualTo(1);
        putter.get();
        assertThat(queue).containsExactly(2, 3);
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void givesUpWhenTheTimeIsOver(WaitStrategy strategy) throws Exception {
        WaitingQueue<Integer> queue = new ManyToManyQueue<Integer>(2).waiting(strategy);
        long begin = System.nanoTime();
        assertThat(queue.poll(3, TimeUnit.MILLISECONDS)).isNull();
        assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(3_000_000);
        queue.put(1);
        queue.put(2);
        assertThat(queue.offer(3, 3, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(queue.offer(3, 0, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(queue.poll(0, TimeUnit.MILLISECONDS)).isEqualTo(1);
        assertThat(queue.offer(3, 3, TimeUnit.MILLISECONDS)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void endsAWaitThatIsInterruptedAndTakesNothing(WaitStrategy strategy) {
        WaitingQueue<Integer> queue = new ManyToManyQueue<Integer>(2).waiting(strategy);
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(queue::take);
        assertThat(Thread.interrupted()).isFalse();
        queue.offer(1);
        queue.offer(2);
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> queue.put(3));
        assertThat(queue).containsExactly(1, 2);
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void endsAWaitWithALimitThatIsInterruptedAndTakesNothing(WaitStrategy strategy) {
        WaitingQueue<Integer> queue = new ManyToManyQueue<Integer>(2).waiting(strategy);
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> queue.poll(1, TimeUnit.HOURS));
        assertThat(Thread.interrupted()).isFalse();
        queue.offer(1);
        queue.offer(2);
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> queue.offer(3, 1, TimeUnit.HOURS));
        assertThat(Thread.interrupted()).isFalse();
        assertThat(queue).containsExactly(1, 2);
    }

    @Test
    void anInterruptedThreadMovesNothingThoughItNeedNotWait() {
        WaitingQueue<Integer> queue = new ManyToManyQueue<Integer>(4).waiting(PARK_AT_ONCE);
        queue.add(1);
        assertInterrupted(() -> queue.put(2));
        assertInterrupted(() -> queue.offer(2, 1, TimeUnit.HOURS));
        assertInterrupted(queue::take);
        assertInterrupted(() -> queue.poll(1, TimeUnit.HOURS));
        assertInterrupted(() -> queue.drain(element -> {}, 1));
        assertThat(queue).containsExactly(1);
    }

    private static void assertInterrupted(ThrowingCallable call) {
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(call);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void tellsHowMuchRoomIsLeft() {
        WaitingQueue<Integer> queue = new ManyToManyQueue<Integer>(4).waiting(PARK_AT_ONCE);
        assertThat(queue.remainingCapacity()).isEqualTo(4);
        queue.offer(1);
        assertThat(queue.remainingCapacity()).isEqualTo(3);
        queue.poll();
        assertThat(queue.remainingCapacity()).isEqualTo(4);
    }

    @Test
    void drainsNoMoreThanItIsToldIntoACollection() {
        WaitingQueue<Integer> queue = new ManyToManyQueue<Integer>(8).waiting(PARK_AT_ONCE);
        for (int i = 0; i < 5; i++) {
            queue.offer(i);
        }
        List<Integer> taken = new ArrayList<>(List.of(-1));
        assertThat(queue.drainTo(taken, 0)).isZero();
        assertThat(queue.drainTo(taken, -1)).isZero();
        assertThat(queue.drainTo(taken, 3)).isEqualTo(3);
        assertThat(taken).containsExactly(-1, 0, 1, 2);
        assertThat(queue.drainTo(taken, 3)).isEqualTo(2);
        assertThat(queue).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> queue.drainTo(queue, 1));
    }

    @Test
    void wakesAPutterForEachElementThatIsDrainedIntoACollection() throws Exception {
        WaitingQueue<Integer> queue = new ManyToManyQueue<Integer>(2).waiting(PARK_AT_ONCE);
        queue.put(1);
        queue.put(2);
        List<FutureTask<Boolean>> putters = List.of(putting(queue, 3), putting(queue, 4));
        putters.forEach(WaitingQueueTest::startAndAwaitSleep);
        assertThat(queue.drainTo(new ArrayList<>(), 2)).isEqualTo(2);
        for (FutureTask<Boolean> putter : putters) {
            assertThat(Await.done(putter)).isTrue();
        }
    }

    @Test
    void wakesAParkedTakerByInterruption() throws Exception {
        WaitingQueue<Integer> queue = new OneToOneQueue<Integer>(2).waiting(PARK_AT_ONCE);
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread taker = Thread.ofPlatform().start(() -> {
            try {
                queue.take();
            } catch (InterruptedException e) {
                interrupted.set(true);
            }
        });
        awaitWaiting(taker);
        taker.interrupt();
        taker.join();
        assertThat(interrupted).isTrue();
    }

    @Test
    void wakesAsManySleepersAsThereAreElements() throws Exception {
        WaitingQueue<Integer> queue = new ManyToManyQueue<Integer>(8).waiting(PARK_AT_ONCE);
        CountDownLatch done = new CountDownLatch(5);
        List<Thread> takers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            takers.add(Thread.ofPlatform().start(() -> {
                try {
                    queue.take();
                    done.countDown();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        takers.forEach(WaitingQueueTest::awaitWaiting);
        for (int i = 0; i < 5; i++) {
            queue.put(i);
        }
        Await.done(done);
    }

    @Test
    void losesNoWakeUpBetweenTwoThreadsThatAlwaysPark() throws Exception {
        WaitingQueue<Integer> there = new OneToOneQueue<Integer>(1).waiting(PARK_AT_ONCE);
        WaitingQueue<Integer> back = new OneToOneQueue<Integer>(1).waiting(PARK_AT_ONCE);
        Thread echo = Thread.ofVirtual().start(() -> {
            try {
                while (true) {
                    back.put(there.take());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        for (int i = 0; i < 10_000; i++) {
            there.put(i);
            assertThat(back.take()).isEqualTo(i);
        }
        echo.interrupt();
        echo.join();
    }

    @Test
    void passesAWakeUpOnWhenItLeavesWithoutAnElement() throws Exception {
        HookedQueue<Integer> inside = new HookedQueue<>(new ManyToManyQueue<>(2));
        WaitingQueue<Integer> queue = inside.waiting(PARK_AT_ONCE);
        Thread leaving = startAndAwaitSleep(new FutureTask<>(queue::take));
        FutureTask<Integer> patient = new FutureTask<>(queue::take);
        startAndAwaitSleep(patient);
        // The one that leaves has listed itself first, so the element's wake-up is for it.
        inside.afterNextFailureOfAnInterruptedThread(() -> queue.offer(1));
        leaving.interrupt();
        assertThat(Await.done(patient)).isEqualTo(1);
    }

    @Test
    void passesAWakeUpOnWhenItLeavesWithoutUsingTheRoom() throws Exception {
        HookedQueue<Integer> inside = new HookedQueue<>(new ManyToManyQueue<>(2));
        WaitingQueue<Integer> queue = inside.waiting(PARK_AT_ONCE);
        queue.put(1);
        queue.put(2);
        Thread leaving = startAndAwaitSleep(putting(queue, 3));
        FutureTask<Boolean> patient = putting(queue, 4);
        startAndAwaitSleep(patient);
        inside.afterNextFailureOfAnInterruptedThread(queue::poll);
        leaving.interrupt();
        assertThat(Await.done(patient)).isTrue();
        assertThat(queue).containsExactly(2, 4);
    }

    private static FutureTask<Boolean> putting(WaitingQueue<Integer> queue, int element) {
        return new FutureTask<>(() -> {
            queue.put(element);
            return true;
        });
    }

    private static Thread startAndAwaitSleep(Runnable task) {
        Thread thread = Thread.ofPlatform().daemon().start(task);
        awaitWaiting(thread);
        return thread;
    }

    @Test
    @SuppressWarnings({"DataFlowIssue", "NullAway"})
    void refusesNullInEveryForm() {
        WaitingQueue<Integer> queue = new ManyToManyQueue<Integer>(2).waiting(PARK_AT_ONCE);
        assertThatNullPointerException().isThrownBy(() -> queue.put(null));
        assertThatNullPointerException().isThrownBy(() -> queue.offer(null));
        assertThatNullPointerException().isThrownBy(() -> queue.offer(null, 1, TimeUnit.SECONDS));
        assertThatNullPointerException().isThrownBy(() -> queue.drainTo(null));
        assertThatNullPointerException().isThrownBy(() -> queue.offer(1, 1, null));
        assertThat(queue.offer(1)).isTrue();
        assertThatNullPointerException().as("also where an element is there").isThrownBy(() -> queue.poll(1, null));
        assertThat(queue).containsExactly(1);
        assertThatNullPointerException().isThrownBy(() -> new ManyToManyQueue<Integer>(2).waiting(null));
    }

    @Test
    void drainsAtLeastOneElement() throws Exception {
        WaitingQueue<Integer> queue = new ManyToOneQueue<Integer>(8).waiting(PARK_AT_ONCE);
        for (int i = 0; i < 5; i++) {
            queue.put(i);
        }
        List<Integer> taken = new ArrayList<>();
        assertThat(queue.drain(taken::add, 3)).isEqualTo(3);
        assertThat(queue.drainTo(taken)).isEqualTo(2);
        assertThat(taken).containsExactly(0, 1, 2, 3, 4);
        assertThatIllegalArgumentException().isThrownBy(() -> queue.drainTo(queue));
        assertThatIllegalArgumentException().isThrownBy(() -> queue.drain(taken::add, 0));
    }

    @Test
    void drainsThroughAWaiterUntilToldToStop() {
        BoundedQueue<Integer> queue = new OneToOneQueue<>(8);
        Signal signal = new Signal();
        List<Integer> taken = new ArrayList<>();
        Thread producer = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < 1_000; i++) {
                while (!queue.offer(i)) {
                    Thread.yield();
                }
                signal.wake();
            }
        });
        queue.drain(taken::add, PARK_AT_ONCE.newWaiter(signal), () -> taken.size() < 1_000);
        assertThat(taken).hasSize(1_000).isSorted();
        assertThat(producer).isNotNull();
    }
}
