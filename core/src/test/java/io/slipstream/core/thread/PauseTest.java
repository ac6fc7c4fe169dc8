package io.slipstream.core.thread;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.queue.ManyToManyQueue;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How a thread waits for another one that is in the middle of something: a producer that has claimed a place, or the
 * owner of a right.
 */
class PauseTest {
    @Test
    void spinsAndFromTimeToTimeDoesNot() {
        int spins = 0;
        List<Integer> seen = new ArrayList<>();
        for (int i = 0; i < 130; i++) {
            spins = Patience.pause(spins);
            seen.add(spins);
        }
        assertThat(seen).filteredOn(count -> count == 0).hasSize(2);
        assertThat(seen).allMatch(count -> count <= 64);
    }

    /*
     * Two virtual threads that only yielded would pass the one carrier to each other, and the producer, which sleeps,
     * never got it.
     */
    @ParameterizedTest
    @ValueSource(strings = {"calm", "interrupted"})
    void lendsItsCarrierToTheThreadThatItWaitsFor(String how) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djdk.virtualThreadScheduler.parallelism=1",
                        "-Djdk.virtualThreadScheduler.maxPoolSize=1",
                        "-Xshare:auto",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        place(Patience.class) + ":" + place(PauseTest.class),
                        OneCarrier.class.getName(),
                        how)
                .redirectErrorStream(true)
                .start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(said.lines()).containsExactly("taken 2", "still interrupted " + (how.equals("calm") ? 0 : 2));
        } finally {
            process.destroyForcibly();
        }
    }

    private static String place(Class<?> type) {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .toString();
    }

    /** Two consumers come while a producer, which has claimed two places, sleeps before it fills them. */
    static final class OneCarrier {
        private static final long MOST_SECONDS = 60;

        private OneCarrier() {}

        public static void main(String[] how) throws Exception {
            ManyToManyQueue<String> queue = new ManyToManyQueue<>(4);
            CountDownLatch claimed = new CountDownLatch(1);
            Thread.startVirtualThread(() -> queue.fill(
                    () -> {
                        claimed.countDown();
                        return afterASleep();
                    },
                    2));
            claimed.await();
            AtomicInteger taken = new AtomicInteger();
            AtomicInteger interrupted = new AtomicInteger();
            List<Thread> consumers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                consumers.add(Thread.startVirtualThread(() -> {
                    if (how[0].equals("interrupted")) {
                        Thread.currentThread().interrupt();
                    }
                    taken.addAndGet(queue.poll() == null ? 0 : 1);
                    interrupted.addAndGet(Thread.interrupted() ? 1 : 0);
                }));
            }
            for (Thread consumer : consumers) {
                consumer.join(Duration.ofSeconds(MOST_SECONDS));
            }
            System.out.println("taken " + taken);
            System.out.println("still interrupted " + interrupted);
            System.exit(0);
        }

        private static String afterASleep() {
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return "element";
        }
    }
}
