package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.record.JournalRecord;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupCommitTest {
    private static final int THREADS = 8;
    private static final int APPENDS = 2_000;

    /** Sleeps at once, so that each append depends on being woken. */
    private static final WaitStrategy ASLEEP =
            new WaitStrategy(0, 0, WaitStrategy.UNTIL_WOKEN_NANOS, WaitStrategy.UNTIL_WOKEN_NANOS, true);

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(ints = {0, 20})
    void appendsEachRecordOnceInTheOrderOfItsThread(int yields) throws Exception {
        ConcurrentLinkedQueue<String> reported = new ConcurrentLinkedQueue<>();
        try (Journal journal = Journal.open(folder, config())) {
            GroupCommit group = new GroupCommit(
                    journal,
                    new WaitStrategy(0, yields, WaitStrategy.UNTIL_WOKEN_NANOS, WaitStrategy.UNTIL_WOKEN_NANOS, true));
            inThreads(number -> {
                GroupCommit.Member member = group.join();
                for (int i = 0; i < APPENDS; i++) {
                    MemorySegment frame = Records.frames(List.of(number + ":" + i));
                    member.append(frame, 0, (int) frame.byteSize());
                    long sequence = JournalRecord.sequence(frame, 0);
                    assertThat(journal.durableSequence().getAcquire()).isGreaterThanOrEqualTo(sequence);
                    reported.add(sequence + "=" + number + ":" + i);
                }
            });
            List<String> found = Records.read(journal, 1);
            assertThat(found).hasSize(THREADS * APPENDS);
            Map<String, Integer> next = new HashMap<>();
            for (int i = 0; i < found.size(); i++) {
                String[] parts = found.get(i).split(":");
                assertThat(Integer.parseInt(parts[1])).isEqualTo(next.merge(parts[0], 1, Integer::sum) - 1);
                found.set(i, i + 1 + "=" + found.get(i));
            }
            assertThat(reported).containsExactlyInAnyOrderElementsOf(found);
        }
    }

    /** One comes and falls asleep while another one commits; only that one can wake it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void leavesSomebodyAsleepOnlyIfTheLeadIsNotHandedOver(boolean isHandedOver) throws Exception {
        try (Journal journal = Journal.open(folder, config())) {
            CountDownLatch committing = new CountDownLatch(1);
            AtomicReference<Thread> late = new AtomicReference<>();
            CommitLog log = new CommitLog() {
                @Override
                public void append(MemorySegment memory, long offset, int bytes) throws JournalException {
                    journal.append(memory, offset, bytes);
                }

                @Override
                public void commit() throws JournalException {
                    committing.countDown();
                    Thread other = late.get();
                    while (other == null
                            || other.getState() != Thread.State.WAITING
                                    && other.isAlive()
                                    && Thread.currentThread() != other) {
                        Thread.yield();
                        other = late.get();
                    }
                    journal.commit();
                }
            };
            GroupCommit group = new GroupCommit(log, ASLEEP, new Lead() {
                @Override
                void handOver(GroupCommit.@Nullable Member next) {
                    if (isHandedOver) {
                        super.handOver(next);
                    }
                }
            });
            Thread leader = Thread.ofPlatform().daemon().start(() -> appendOne(group));
            committing.await();
            Thread follower = Thread.ofPlatform().daemon().unstarted(() -> appendOne(group));
            follower.start();
            late.set(follower);
            leader.join();
            follower.join(isHandedOver ? 30_000 : 300);
            assertThat(follower.isAlive()).isEqualTo(!isHandedOver);
        }
    }

    @Test
    void refusesABadFrameToTheOneThatHasHandedItOver() throws Exception {
        try (Journal journal = Journal.open(folder, config())) {
            GroupCommit group = new GroupCommit(journal);
            AtomicInteger refused = new AtomicInteger();
            inThreads(number -> {
                GroupCommit.Member member = group.join();
                for (int i = 0; i < 200; i++) {
                    MemorySegment frame = Records.frames(List.of("good"));
                    if (number % 2 == 0) {
                        MemorySegment half = frame.asSlice(0, 16);
                        assertThatThrownBy(() -> member.append(half, 0, (int) frame.byteSize()))
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessageContaining("memory of 16 bytes");
                        frame.set(ValueLayout.JAVA_INT, 0, 7);
                        assertThatThrownBy(() -> member.append(frame, 0, (int) frame.byteSize()))
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessageContaining("length 7");
                        refused.incrementAndGet();
                    } else {
                        member.append(frame, 0, (int) frame.byteSize());
                    }
                }
            });
            assertThat(refused).hasValue(THREADS / 2 * 200);
            assertThat(Records.read(journal, 1)).hasSize(THREADS / 2 * 200).containsOnly("good");
        }
    }

    @Test
    void refusesMemoryThatNotEveryThreadMayUse() throws Exception {
        try (Journal journal = Journal.open(folder, config());
                Arena confined = Arena.ofConfined()) {
            GroupCommit.Member member = new GroupCommit(journal).join();
            MemorySegment frame = Records.frames(List.of("good"));
            int bytes = (int) frame.byteSize();
            MemorySegment own = confined.allocate(bytes, 16).copyFrom(frame);
            assertThatThrownBy(() -> member.append(own, 0, bytes))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("confined");
            assertThatThrownBy(() -> member.append(frame.asReadOnly(), 0, bytes))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("read-only");
            member.append(frame, 0, bytes);
            assertThat(Records.read(journal, 1)).containsExactly("good");
        }
    }

    @Test
    void keepsAnInterruptPending() throws Exception {
        try (Journal journal = Journal.open(folder, config())) {
            GroupCommit group = new GroupCommit(journal, ASLEEP);
            inThreads(_ -> {
                GroupCommit.Member member = group.join();
                MemorySegment frame = Records.frames(List.of("interrupted"));
                for (int i = 0; i < 100; i++) {
                    Thread.currentThread().interrupt();
                    member.append(frame, 0, (int) frame.byteSize());
                    assertThat(Thread.interrupted()).isTrue();
                }
            });
            assertThat(Records.read(journal, 1)).hasSize(THREADS * 100);
        }
    }

    @Test
    void tellsThatTheJournalIsClosed() throws Exception {
        Journal journal = Journal.open(folder, config());
        journal.close();
        MemorySegment frame = Records.frames(List.of("late"));
        assertThatThrownBy(() -> new GroupCommit(journal).join().append(frame, 0, (int) frame.byteSize()))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("is closed");
    }

    private static void appendOne(GroupCommit group) {
        MemorySegment frame = Records.frames(List.of("again"));
        try {
            group.join().append(frame, 0, (int) frame.byteSize());
        } catch (JournalException e) {
            throw new AssertionError(e);
        }
    }

    private static void inThreads(Task task) throws InterruptedException {
        ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    task.run(number);
                } catch (Throwable e) {
                    failures.add(e);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failures).isEmpty();
    }

    private static JournalConfig config() {
        return JournalConfig.at(Durability.PROCESS).withSegmentBytes(256 << 10);
    }

    private interface Task {
        void run(int number) throws Exception;
    }
}
