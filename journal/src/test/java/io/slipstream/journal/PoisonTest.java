package io.slipstream.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.sequence.Sequence;
import io.slipstream.journal.errors.JournalFailedException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class PoisonTest {

    @Test
    void aLaterFailureDoesNotHideTheFirstCause() {
        Poison poison = new Poison("/data", new Sequence(7));
        JournalFailedException first = poison.poison(new IOException("the device is gone"));
        JournalFailedException later = poison.poison(new IOException("the channel is closed"));
        assertThat(later)
                .hasMessageContaining("the device is gone")
                .hasMessageNotContaining("the channel is closed")
                .hasCause(first);
        assertThat(first).hasMessageContaining("up to 7");
        assertThat(first.getSuppressed()).extracting(Throwable::getMessage).containsExactly("the channel is closed");
        assertThat(poison.cause()).isSameAs(first);
    }

    @Test
    void whatIsNoFailureOfTheDeviceDoesNotBlameIt() {
        assertThat(new Poison("/data", new Sequence(7)).poison(new NoClassDefFoundError("a/Name")))
                .hasMessageContaining("NoClassDefFoundError: a/Name")
                .hasMessageContaining("look at the cause, then open the journal again")
                .hasMessageNotContaining("Look at the device");
        assertThat(new Poison("/data", new Sequence(7)).poison(new IOException("no answer")))
                .hasMessageContaining(": no answer. Records up to 7 are durable. Look at the device, then open");
    }
}
