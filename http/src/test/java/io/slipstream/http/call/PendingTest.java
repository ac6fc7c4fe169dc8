package io.slipstream.http.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.http.config.HttpLimits;
import io.slipstream.service.client.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class PendingTest {
    private static final HttpLimits ONE = HttpLimits.DEFAULT.withPending(1);
    private static final Reply REPLY = new Reply(1, new byte[0]);

    @Test
    void aReplyThatComesTooLateIsCountedOnce() {
        HttpLimits brief = ONE.withTimes(ONE.idle(), ONE.requestTime(), Duration.ofMillis(20));
        CompletableFuture<Reply> service = new CompletableFuture<>();
        try (Pending pending = new Pending(brief)) {
            CompletableFuture<Reply> answer = pending.send(0, () -> service);
            assertThatThrownBy(answer::get).hasCauseInstanceOf(TimeoutException.class);
            assertThat(pending.count()).isZero();
            service.complete(REPLY);
            assertThat(pending.count()).isZero();
        }
    }

    @Test
    void refusesOneMoreThanMayWaitUntilAnAnswerHasCome() throws Exception {
        CompletableFuture<Reply> service = new CompletableFuture<>();
        try (Pending pending = new Pending(ONE)) {
            CompletableFuture<Reply> answer = pending.send(0, () -> service);
            assertThatThrownBy(() -> pending.send(0, CompletableFuture::new).get())
                    .hasCauseInstanceOf(RefusedException.class);
            service.complete(REPLY);
            assertThat(answer.get()).isEqualTo(REPLY);
            assertThat(pending.send(0, () -> service).get()).isEqualTo(REPLY);
            assertThat(pending.count()).isZero();
        }
    }

    @Test
    void whatCannotBeSentDoesNotWait() {
        try (Pending pending = new Pending(ONE)) {
            assertThatThrownBy(() -> pending.send(0, () -> {
                                throw new IllegalArgumentException("too long");
                            })
                            .get())
                    .hasCauseInstanceOf(IllegalArgumentException.class);
            assertThat(pending.count()).isZero();
        }
    }

    @Test
    void refusesMoreBytesThanMayWaitButForOneAlone() {
        try (Pending pending = new Pending(HttpLimits.DEFAULT.withPendingBytes(1_000))) {
            CompletableFuture<Reply> service = new CompletableFuture<>();
            assertThat(pending.send(2_000, () -> service)).isNotDone();
            assertThatThrownBy(() -> pending.send(1, () -> service).get()).hasCauseInstanceOf(RefusedException.class);
            service.complete(REPLY);
            assertThat(pending.bytes()).isZero();
            assertThat(pending.send(1, () -> service)).isCompletedWithValue(REPLY);
        }
    }

    @Test
    void whatWasNotSentInItsTimeIsRefusedAndNeverSent() {
        HttpLimits brief = ONE.withTimes(ONE.idle(), ONE.requestTime(), Duration.ofMillis(20));
        Turn turn = new Turn(new byte[1], false);
        try (Pending pending = new Pending(brief)) {
            assertThatThrownBy(pending.send(1, () -> turn)::get).hasCauseInstanceOf(RefusedException.class);
            assertThat(turn.take()).isNull();
        }
    }
}
