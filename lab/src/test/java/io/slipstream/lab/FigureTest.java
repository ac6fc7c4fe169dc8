package io.slipstream.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FigureTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        0.123456 | 0.123
        1.5      | 1.5
        49.96    | 50
        999      | 999
        12345.6  | 12,350
        2e9      | 2,000,000,000
        0        | 0
        NaN      | –
        """)
    void showsThreeDigitsAndGroupsThousands(double value, String shown) {
        assertThat(Figure.show(value)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({"512,512 B", "32768,32 KB", "1572864,1.5 MB", "8589934592,8 GB"})
    void showsSizesInBinaryUnits(long bytes, String shown) {
        assertThat(Figure.bytes(bytes)).isEqualTo(shown);
    }

    @Test
    void aUnitStandsBehindItsNumber() {
        assertThat(Figure.show(295, "write MB/s")).isEqualTo("295 MB/s (write)");
        assertThat(Figure.show(3.12, "ns/op")).isEqualTo("3.12 ns/op");
        assertThat(Figure.show(9_800_000, "round trips/s")).isEqualTo("9,800,000 round trips/s");
    }
}
