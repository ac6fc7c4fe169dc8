package io.slipstream.http.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.testkit.Await;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionPoolTest {
    private static final int LONG = 400_000;

    @TempDir
    private Path folder;

    private final CountDownLatch gate = new CountDownLatch(1);
    private Service service;
    private SessionPool pool;

    @BeforeEach
    void start() throws Exception {
        service = Service.start(
                ServiceConfig.in(folder)
                        .withMaxResponseTime(Await.RESPONSE)
                        .withLimits(limits -> limits.withMaxFrameLength(1 << 20)),
                new Counting(gate));
        pool = new SessionPool(
                bytes -> ServiceClient.builder("127.0.0.1", service.port())
                        .windowBytes(bytes)
                        .reconnectTimeout(Duration.ZERO),
                2);
    }

    @AfterEach
    void stop() {
        gate.countDown();
        pool.close();
        service.close();
    }

    @Test
    void takesMoreAtOnceThanAWindowHasRoomFor() throws Exception {
        List<CompletableFuture<Reply>> answers = new ArrayList<>();
        for (int number = 1; number <= 1_000; number++) {
            answers.add(pool.send(new IdempotencyKey(7, number), new byte[1_000]));
        }
        gate.countDown();
        for (int i = 0; i < answers.size(); i++) {
            assertThat(count(answers.get(i))).isEqualTo(i + 1);
        }
    }

    @Test
    void takesALongCommandAfterAShortOneButNotWhileThatIsUnderWay() throws Exception {
        CompletableFuture<Reply> brief = pool.send(new IdempotencyKey(7, 1), new byte[10]);
        assertRefused(pool.send(new IdempotencyKey(7, 2), new byte[LONG]), "shorter commands under way");
        gate.countDown();
        assertThat(count(brief)).isEqualTo(1);
        assertThat(count(pool.send(new IdempotencyKey(7, 2), new byte[LONG]))).isEqualTo(2);
        assertThat(count(pool.send(new IdempotencyKey(7, 1), new byte[10]))).isEqualTo(1);
        assertThat(count(pool.send(new IdempotencyKey(7, 2), new byte[LONG]))).isEqualTo(2);
        assertThatThrownBy(() -> Await.done(pool.send(new IdempotencyKey(7, 3), new byte[700_000])))
                .hasRootCauseInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void answersOneThatComesAgainOnceAndRefusesAnotherOneOfItsNumber() throws Exception {
        CompletableFuture<Reply> first = pool.send(new IdempotencyKey(7, 1), new byte[10]);
        CompletableFuture<Reply> same = pool.send(new IdempotencyKey(7, 1), new byte[10]);
        CompletableFuture<Reply> other = pool.send(new IdempotencyKey(7, 1), new byte[11]);
        assertThatThrownBy(() -> Await.done(other)).hasMessageContaining("another command is under way");
        gate.countDown();
        assertThat(count(first)).isEqualTo(1);
        assertThat(count(same)).isEqualTo(1);
        assertThat(count(pool.send(new IdempotencyKey(7, 2), new byte[10]))).isEqualTo(2);
    }

    @Test
    void givesTheConnectionOfAnIdleSessionToAnotherOneAndLosesNothing() throws Exception {
        CompletableFuture<Reply> one = pool.send(new IdempotencyKey(1, 1), new byte[1]);
        CompletableFuture<Reply> two = pool.send(new IdempotencyKey(2, 1), new byte[1]);
        assertRefused(pool.send(new IdempotencyKey(3, 1), new byte[1]), "all 2 sessions of the gateway wait");
        gate.countDown();
        assertThat(List.of(count(one), count(two))).containsExactlyInAnyOrder(1L, 2L);
        for (int key = 3; key < 50; key++) {
            assertThat(count(pool.send(new IdempotencyKey(key, 1), new byte[1])))
                    .isEqualTo(key);
        }
        for (int key = 49; key > 2; key--) {
            assertThat(count(pool.send(new IdempotencyKey(key, 1), new byte[1])))
                    .isEqualTo(key);
        }
    }

    private static void assertRefused(CompletableFuture<Reply> answer, String why) {
        assertThatThrownBy(() -> answer.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(RefusedException.class)
                .hasMessageContaining(why);
    }

    private static long count(CompletableFuture<Reply> answer) throws Exception {
        return ByteBuffer.wrap(Await.done(answer).payload()).getLong();
    }

    /** Answers with how many commands were applied; waits for a gate. */
    private static final class Counting implements StateMachine {
        private final CountDownLatch gate;
        private long commands;

        Counting(CountDownLatch gate) {
            this.gate = gate;
        }

        @Override
        public void onCommand(Request command, Output output) {
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            commands++;
            output.reply(
                    MemorySegment.ofArray(
                            ByteBuffer.allocate(Long.BYTES).putLong(commands).array()),
                    0,
                    Long.BYTES);
        }

        @Override
        public long stateHash() {
            return commands;
        }
    }
}
