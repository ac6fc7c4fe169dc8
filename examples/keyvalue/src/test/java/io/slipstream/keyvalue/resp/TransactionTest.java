package io.slipstream.keyvalue.resp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the transactions of all clients hold together. */
class TransactionTest {
    private final QueuedBytes queued = new QueuedBytes(100);

    @Test
    void countsWhatIsQueuedUntilTheTransactionEndsOrIsSpoiled() {
        Transaction one = new Transaction(queued);
        Transaction other = new Transaction(queued);
        one.begin();
        other.begin();
        one.add(new byte[60]);
        other.add(new byte[30]);
        assertThat(queued.hasRoom(10)).isTrue();
        assertThat(queued.hasRoom(11)).isFalse();
        one.spoil();
        one.add(new byte[1_000]);
        assertThat(queued.hasRoom(70)).isTrue();
        assertThat(queued.hasRoom(71)).isFalse();
        one.end();
        other.end();
        assertThat(queued.hasRoom(100)).isTrue();
        assertThat(queued.hasRoom(101)).isFalse();
    }
}
