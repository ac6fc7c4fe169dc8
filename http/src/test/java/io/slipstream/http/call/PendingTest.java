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
            CompletableFuture<Reply> answer = pending.send(() -> service);
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
            CompletableFuture<Reply> answer = pending.send(() -> service);
            assertThatThrownBy(() -> pending.send(CompletableFuture::new).get())
                    .hasCauseInstanceOf(RefusedException.class);
            service.complete(REPLY);
            assertThat(answer.get()).isEqualTo(REPLY);
            assertThat(pending.send(() -> service).get()).isEqualTo(REPLY);
            assertThat(pending.count()).isZero();
        }
    }

    @Test
    void whatCannotBeSentDoesNotWait() {
        try (Pending pending = new Pending(ONE)) {
            assertThatThrownBy(() -> pending.send(() -> {
                                throw new IllegalArgumentException("too long");
                            })
                            .get())
                    .hasCauseInstanceOf(IllegalArgumentException.class);
            assertThat(pending.count()).isZero();
        }
    }
}
