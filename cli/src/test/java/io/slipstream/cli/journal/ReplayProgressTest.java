package io.slipstream.cli.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ReplayProgressTest {
    private final StringWriter said = new StringWriter();

    @Test
    void saysHowFarItIs() {
        new ReplayProgress(new PrintWriter(said, true), 0).onReplay(4096, 10_000);
        assertThat(said.toString()).contains("replayed 4,096 of 10,000 entries (40 %)");
    }

    @Test
    void saysNothingOfAShortReplay() {
        new ReplayProgress(new PrintWriter(said, true)).onReplay(4096, 10_000);
        assertThat(said.toString()).isEmpty();
    }
}
