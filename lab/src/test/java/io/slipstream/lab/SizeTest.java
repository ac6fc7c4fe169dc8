package io.slipstream.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SizeTest {

    @Test
    void bothAreToldWhereTheyDiffer() {
        assertThat(Size.words(List.of(
                        new Size("bytes of a file", 400 << 20, 24 << 20),
                        new Size("increments", 500_000_000, 4_000_000),
                        new Size("ns of sending", 5_000_000_000L, 150_000_000))))
                .isEqualTo("Sizes in the article (--full): 400 MB of a file, 500,000,000 increments, 5 s of"
                        + " sending; here:"
                        + " 24 MB of a file, 4,000,000 increments, 150 ms of sending.");
    }

    @Test
    void oneIsEnoughWhereTheyDoNot() {
        assertThat(Size.words(List.of(new Size("clients", 100, 100), new Size("ms of sending", 5_000, 5_000))))
                .isEqualTo("The article's sizes: 100 clients, 5 s of sending.");
        assertThat(Size.words(List.of())).isEmpty();
    }
}
