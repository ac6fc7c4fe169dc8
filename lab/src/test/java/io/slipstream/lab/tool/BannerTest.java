package io.slipstream.lab.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class BannerTest {

    @Test
    void drawsTextWithHashes() {
        String banner;
        try {
            banner = Banner.of("Hi", 12);
        } catch (IOException e) {
            assumeTrue(false, String.valueOf(e.getMessage()));
            return;
        }
        assertThat(banner).matches("[# \n]+").contains("##");
        assertThat(banner.lines().count()).isBetween(8L, 16L);
    }

    @Test
    void refusesWhatCannotBeSeen() {
        assertThatThrownBy(() -> Banner.of(" ", 12)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Banner.of("x", 1)).hasMessageContaining("5 to 100");
    }
}
