package io.slipstream.core.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.testkit.Allocations;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every bounded queue promises, one sentence each, with one thread. */
class QueueContractTest {
    @ParameterizedTest
    @EnumSource
    void givesBackWhatWasOfferedInOrder(QueueKinds kind) {
        BoundedQueue<Integer> queue = kind.create(8);
        for (int lap = 0; lap < 100; lap++) {
            for (int i = 0; i < 5; i++) {
                assertThat(queue.offer(lap * 5 + i)).isTrue();
            }
            for (int i = 0; i < 5; i++) {
                assertThat(queue.poll()).isEqualTo(lap * 5 + i);
            }
        }
        assertThat(queue.poll()).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void acceptsExactlyAsManyElementsAsItsCapacity(QueueKinds kind) {
        for (int capacity = 1; capacity <= 64; capacity *= 2) {
            BoundedQueue<Integer> queue = kind.create(capacity);
            for (int lap = 0; lap < 4; lap++) {
                int accepted = 0;
                while (queue.offer(accepted)) {
                    accepted++;
                }
                assertThat(accepted).isEqualTo(queue.capacity());
                assertThat(queue.relaxedOffer(1)).isFalse();
                assertThat(queue).hasSize(accepted);
                queue.clear();
                assertThat(queue).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void roundsACapacityUpToAPowerOfTwo(QueueKinds kind) {
        assertThat(kind.create(5).capacity()).isEqualTo(8);
        assertThat(kind.create(8).capacity()).isEqualTo(8);
        assertThat(kind.create(9).capacity()).isEqualTo(16);
        assertThat(kind.create(1).capacity()).isLessThanOrEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GROWING")
    void refusesACapacityThatCannotBe(QueueKinds kind) {
        for (int capacity : new int[] {Integer.MIN_VALUE, -1, 0, (1 << 30) + 1}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> kind.create(capacity))
                    .withMessageContaining(String.valueOf(capacity));
        }
    }

    @ParameterizedTest
    @EnumSource
    @SuppressWarnings({"DataFlowIssue", "NullAway"})
    void refusesNull(QueueKinds kind) {
        BoundedQueue<Integer> queue = kind.create(4);
        assertThatNullPointerException().isThrownBy(() -> queue.offer(null));
        assertThatNullPointerException().isThrownBy(() -> queue.relaxedOffer(null));
        assertThatNullPointerException().isThrownBy(() -> queue.add(null));
        assertThatNullPointerException().isThrownBy(() -> queue.drain(null, 1));
        assertThatNullPointerException().isThrownBy(() -> queue.fill(null, 1));
        assertThatNullPointerException().isThrownBy(() -> queue.waiting(null));
        assertThat(queue).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @SuppressWarnings({"DataFlowIssue", "NullAway"})
    void losesNoElementToAConsumerThatIsNull(QueueKinds kind) {
        BoundedQueue<Integer> queue = kind.create(4);
        queue.offer(7);
        assertThatNullPointerException().isThrownBy(() -> queue.drain(null, 1)).withMessage("consumer");
        assertThatNullPointerException()
                .isThrownBy(() -> queue.waiting(WaitStrategy.backoff()).drain(null, 1))
                .withMessage("consumer");
        assertThat(queue).containsExactly(7);
    }

    @ParameterizedTest
    @EnumSource
    void throwsFromAddRemoveAndElementWhereOfferPollAndPeekReturn(QueueKinds kind) {
        BoundedQueue<Integer> queue = kind.create(2);
        assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(queue::remove);
        assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(queue::element);
        queue.add(1);
        queue.add(2);
        assertThatIllegalStateException().isThrownBy(() -> queue.add(3));
        assertThat(queue.element()).isEqualTo(1);
        assertThat(queue.remove()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void peeksWithoutTaking(QueueKinds kind) {
        BoundedQueue<Integer> queue = kind.create(4);
        assertThat(queue.peek()).isNull();
        queue.add(7);
        assertThat(queue.peek()).isEqualTo(7);
        assertThat(queue.peek()).isEqualTo(7);
        assertThat(queue.poll()).isEqualTo(7);
        assertThat(queue.peek()).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void showsItsElementsInOrderWithoutTakingThem(QueueKinds kind) {
        BoundedQueue<Integer> queue = kind.create(16);
        Collections.addAll(queue, 1, 2, 3, 4, 5, 6, 7);
        queue.poll();
        assertThat(queue).containsExactly(2, 3, 4, 5, 6, 7);
        assertThat(queue.contains(3)).isTrue();
        assertThat(queue.contains(1)).isFalse();
        assertThat(queue).hasToString("[2, 3, 4, 5, 6, 7]");
        Iterator<Integer> iterator = queue.iterator();
        iterator.next();
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(iterator::remove);
    }

    @ParameterizedTest
    @EnumSource
    void saysThatItRemovesNothingFromTheMiddle(QueueKinds kind) {
        BoundedQueue<Integer> queue = kind.create(8);
        Collections.addAll(queue, 1, 2, 3);
        for (Queue<Integer> view : List.of(queue, queue.waiting(WaitStrategy.parking()))) {
            for (Consumer<Queue<Integer>> removal : List.<Consumer<Queue<Integer>>>of(
                    q -> q.remove(2),
                    q -> q.removeAll(List.of(2)),
                    q -> q.retainAll(List.of(1)),
                    q -> q.removeIf(element -> element == 3))) {
                assertThatExceptionOfType(UnsupportedOperationException.class)
                        .isThrownBy(() -> removal.accept(view))
                        .withMessageContaining("cannot remove an element from its middle");
            }
            assertThat(view.remove((Object) 7)).isFalse();
            assertThat(view).containsExactly(1, 2, 3);
        }
    }

    @ParameterizedTest
    @EnumSource
    void drainsUpToTheLimit(QueueKinds kind) {
        BoundedQueue<Integer> queue = kind.create(8);
        Collections.addAll(queue, 1, 2, 3, 4, 5);
        List<Integer> taken = new ArrayList<>();
        assertThat(queue.drain(taken::add, 0)).isZero();
        assertThat(queue.drain(taken::add, 3)).isEqualTo(3);
        assertThat(queue.drain(taken::add)).isEqualTo(2);
        assertThat(queue.drain(taken::add)).isZero();
        assertThat(taken).containsExactly(1, 2, 3, 4, 5);
    }

    @ParameterizedTest
    @EnumSource
    void fillsUpToTheLimitOrItsCapacity(QueueKinds kind) {
        BoundedQueue<Integer> queue = kind.create(8);
        AtomicInteger next = new AtomicInteger();
        assertThat(queue.fill(next::getAndIncrement, 0)).isZero();
        assertThat(queue.fill(next::getAndIncrement, 3)).isEqualTo(3);
        assertThat(queue.fill(next::getAndIncrement, 100)).isEqualTo(5);
        assertThat(queue.fill(next::getAndIncrement, 100)).isZero();
        assertThat(next).as("asked only when there was room").hasValue(8);
        assertThat(queue).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    }

    @ParameterizedTest
    @EnumSource
    void losesNothingButTheElementAConsumerThrewOn(QueueKinds kind) {
        BoundedQueue<Integer> queue = kind.create(8);
        Collections.addAll(queue, 1, 2, 3, 4, 5);
        List<Integer> taken = new ArrayList<>();
        assertThatIllegalStateException()
                .isThrownBy(() -> queue.drain(i -> {
                    if (i == 3) {
                        throw new IllegalStateException();
                    }
                    taken.add(i);
                }));
        assertThat(queue).hasSize(2);
        queue.drain(taken::add);
        assertThat(taken).containsExactly(1, 2, 4, 5);
        assertThat(queue.offer(6)).isTrue();
        assertThat(queue.poll()).isEqualTo(6);
    }

    @ParameterizedTest
    @EnumSource
    void losesAndRepeatsNothingWhereverInABatchTheConsumerFails(QueueKinds kind) {
        for (int failing = 1; failing <= 5; failing++) {
            BoundedQueue<Integer> queue = kind.create(8);
            Collections.addAll(queue, 1, 2, 3, 4, 5);
            int bad = failing;
            List<Integer> taken = new ArrayList<>();
            Consumer<Integer> consumer = i -> {
                taken.add(i);
                if (i == bad) {
                    throw new IllegalStateException();
                }
            };
            assertThatIllegalStateException().isThrownBy(() -> queue.drain(consumer));
            assertThat(taken).hasSize(failing);
            assertThat(queue).hasSize(5 - failing);
            assertThat(queue.fill(() -> 6, 100))
                    .as("the places of all that were taken are free")
                    .isEqualTo(3 + failing);
            queue.drain(taken::add);
            assertThat(taken).startsWith(1, 2, 3, 4, 5).hasSize(8 + failing);
            assertThat(taken.subList(5, 8 + failing)).containsOnly(6);
        }
    }

    @ParameterizedTest
    @EnumSource
    void mayBeDrainedByItsOwnConsumerInTheMiddleOfADrain(QueueKinds kind) {
        BoundedQueue<Integer> queue = kind.create(8);
        Collections.addAll(queue, 1, 2, 3, 4, 5, 6);
        List<Integer> taken = new ArrayList<>();
        queue.drain(
                i -> {
                    taken.add(i);
                    if (i == 2) {
                        queue.drain(taken::add, 2);
                        assertThat(queue.fill(() -> 7, 10)).isEqualTo(6);
                    }
                },
                100);
        assertThat(taken).containsExactly(1, 2, 3, 4, 5, 6, 7, 7, 7, 7, 7, 7);
    }

    @ParameterizedTest
    @EnumSource
    @SuppressWarnings({"DataFlowIssue", "NullAway"})
    void leavesOutOnlyTheElementASupplierFailedFor(QueueKinds kind) {
        BoundedQueue<Integer> queue = kind.create(8);
        for (int lap = 0; lap < 10; lap++) {
            AtomicInteger next = new AtomicInteger();
            assertThatIllegalStateException()
                    .isThrownBy(() -> queue.fill(
                            () -> {
                                if (next.get() == 3) {
                                    throw new IllegalStateException();
                                }
                                return next.getAndIncrement();
                            },
                            6));
            assertThatNullPointerException().isThrownBy(() -> queue.fill(() -> null, 1));
            assertThat(queue).containsExactly(0, 1, 2);
            assertThat(queue.peek()).isZero();
            assertThat(queue.poll()).isZero();
            assertThat(queue.relaxedPoll()).isEqualTo(1);
            assertThat(queue.poll()).isEqualTo(2);
            assertThat(queue.peek()).isNull();
            assertThat(queue.poll()).isNull();
            assertThat(queue.relaxedPoll()).isNull();
            assertThat(queue).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void mayBeUsedByItsOwnConsumerInTheMiddleOfADrain(QueueKinds kind) {
        BoundedQueue<Integer> queue = kind.create(4);
        Collections.addAll(queue, 1, 2, 3, 4);
        List<Integer> taken = new ArrayList<>();
        queue.drain(
                i -> {
                    taken.add(i);
                    if (i == 1) {
                        taken.add(queue.poll());
                        queue.add(5);
                    }
                },
                100);
        assertThat(taken).containsExactly(1, 2, 3, 4, 5);
    }

    @ParameterizedTest
    @EnumSource
    void behavesAsAnArrayDequeUnderRandomCalls(QueueKinds kind) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int run = 0; run < 200; run++) {
            BoundedQueue<Integer> queue = kind.create(1 << random.nextInt(6));
            Queue<Integer> model = new ArrayDeque<>();
            for (int i = 0; i < 300; i++) {
                int value = i;
                switch (random.nextInt(6)) {
                    case 0, 1 -> {
                        boolean room = model.size() < queue.capacity();
                        assertThat(queue.offer(value)).as("seed %s", seed).isEqualTo(room);
                        if (room) {
                            model.add(value);
                        }
                    }
                    case 2 -> assertThat(queue.poll()).as("seed %s", seed).isEqualTo(model.poll());
                    case 3 -> assertThat(queue.peek()).as("seed %s", seed).isEqualTo(model.peek());
                    case 4 ->
                        queue.drain(e -> assertThat(e).as("seed %s", seed).isEqualTo(model.poll()), random.nextInt(8));
                    default ->
                        queue.fill(
                                () -> {
                                    model.add(value);
                                    return value;
                                },
                                random.nextInt(8));
                }
                assertThat(queue.size()).as("seed %s", seed).isEqualTo(model.size());
                assertThat(queue.isEmpty()).as("seed %s", seed).isEqualTo(model.isEmpty());
            }
            assertThat(List.copyOf(queue)).as("seed %s", seed).isEqualTo(List.copyOf(model));
        }
    }

    @ParameterizedTest
    @EnumSource
    void allocatesNothing(QueueKinds kind) throws Exception {
        BoundedQueue<String> queue = kind.create(8);
        int[] seen = {0};
        Consumer<String> consumer = element -> seen[0]++;
        Supplier<String> supplier = () -> "x";
        Allocations.none(20_000, call -> {
            queue.offer("a");
            queue.relaxedOffer("b");
            queue.fill(supplier, 3);
            queue.poll();
            queue.relaxedPoll();
            seen[0] = 0;
            queue.drain(consumer, 8);
            if (seen[0] != 3) {
                throw new AssertionError(seen[0] + " elements were drained");
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void allocatesNothingForACallThatNeedNotWait(QueueKinds kind) throws Exception {
        WaitingQueue<String> queue = kind.<String>create(8).waiting(WaitStrategy.parking());
        Consumer<String> consumer = element -> {};
        Allocations.none(20_000, call -> {
            queue.put("a");
            queue.offer("b");
            queue.offer("c", 1, TimeUnit.HOURS);
            queue.put("d");
            queue.take();
            queue.poll(1, TimeUnit.HOURS);
            queue.drain(consumer, 8);
        });
        assertThat(queue).isEmpty();
    }
}
