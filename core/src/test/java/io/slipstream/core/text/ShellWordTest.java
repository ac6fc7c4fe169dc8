package io.slipstream.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What is copied out of a message into a shell is one word there. */
class ShellWordTest {
    @Test
    void leavesWhatAShellTakesAsItIs() {
        assertThat(ShellWord.of(Path.of("/var/lib/exchange-1"))).isEqualTo("/var/lib/exchange-1");
    }

    @Test
    void quotesWhatAShellWouldTakeForSomethingElse() {
        assertThat(ShellWord.of("/var/my logs")).isEqualTo("'/var/my logs'");
        assertThat(ShellWord.of("it's $HOME")).isEqualTo("'it'\\''s $HOME'");
        assertThat(ShellWord.of("")).isEqualTo("''");
        assertThat(ShellWord.of("~/log")).isEqualTo("'~/log'");
    }
}
