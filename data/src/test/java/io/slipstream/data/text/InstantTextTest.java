package io.slipstream.data.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InstantTextTest {
    private static final int CASES = Integer.getInteger("slipstream.text.cases", 100_000);

    private final long seed = System.nanoTime();
    private final SplittableRandom random = new SplittableRandom(seed);
    private final byte[] buffer = new byte[40];

    private static Instant instant(long nanos) {
        return Instant.EPOCH.plus(nanos, ChronoUnit.NANOS);
    }

    private void check(long nanos) {
        int end = InstantText.write(nanos, buffer, 1);
        String text = Bytes.text(buffer, 1, end);
        assertThat(text).hasSize(InstantText.MAX_LENGTH);
        if (!Instant.parse(text).equals(instant(nanos)) || InstantText.parse(buffer, 1, end) != nanos) {
            throw new AssertionError(instant(nanos) + " is written as " + text + ", seed " + seed);
        }
        byte[] asTheJdk = Bytes.of(instant(nanos).toString());
        if (InstantText.parse(asTheJdk, 0, asTheJdk.length) != nanos) {
            throw new AssertionError(instant(nanos) + " is not read, seed " + seed);
        }
    }

    @Test
    void anyInstant() {
        for (int i = 0; i < CASES; i++) {
            check(random.nextLong());
            check(random.nextLong(4_102_444_800_000_000_000L) / 1_000_000 * 1_000_000);
        }
    }

    @Test
    void theEndsOfTheRangeAndOfTheYears() {
        check(Long.MIN_VALUE);
        check(Long.MAX_VALUE);
        check(0);
        check(-1);
        for (int year = 1678; year < 2262; year++) {
            for (String day :
                    new String[] {"-01-01T00:00:00Z", "-02-28T23:59:59Z", "-03-01T00:00:00Z", "-12-31T23:59:59Z"}) {
                check(ChronoUnit.NANOS.between(Instant.EPOCH, Instant.parse(year + day)));
            }
        }
    }

    @Test
    void fewerDecimalsAreCutOff() {
        long nanos = ChronoUnit.NANOS.between(Instant.EPOCH, Instant.parse("2026-11-23T04:05:06.987654321Z"));
        assertThat(Bytes.text(buffer, 0, InstantText.write(nanos, 3, buffer, 0)))
                .isEqualTo("2026-11-23T04:05:06.987Z");
        assertThat(Bytes.text(buffer, 0, InstantText.write(nanos, 0, buffer, 0)))
                .isEqualTo("2026-11-23T04:05:06Z");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-11-23T04:05:06+02:00", "2026-11-23T04:05:06.5-18:00", "2024-02-29T23:59:59.1-00:30"})
    void offsets(String text) {
        byte[] bytes = Bytes.of(text);
        assertThat(instant(InstantText.parse(bytes, 0, bytes.length)))
                .isEqualTo(OffsetDateTime.parse(text).toInstant());
    }

    @ParameterizedTest
    @CsvSource({
        "'',0",
        "2026-11-23,10",
        "2026-13-01T00:00:00Z,5",
        "2026-02-29T00:00:00Z,8",
        "2026-11-31T00:00:00Z,8",
        "2026-11-23T24:00:00Z,11",
        "2026-11-23T04:05:60Z,17",
        "2026-11-23T04:05:06,19",
        "2026-11-23T04:05:06.Z,20",
        "2026-11-23T04:05:06.1234567890Z,29",
        "2026-11-23T04:05:06Zx,20",
        "2026-11-23 04:05:06Z,10",
        "202x-11-23T04:05:06Z,3",
        "1677-09-21T00:12:43.145224191Z,0",
        "2262-04-11T23:47:16.854775808Z,0",
        "9999-01-01T00:00:00Z,0",
        "2026-00-23T04:05:06Z,5",
        "2026-11-00T04:05:06Z,8",
        "2026-11-23T04:05:06+19:00,20"
    })
    void refusesWhatIsNoInstantAndSaysWhere(String text, int position) {
        byte[] bytes = Bytes.withMargin(text);
        assertThatExceptionOfType(TextException.class)
                .isThrownBy(() -> InstantText.parse(bytes, 3, bytes.length - 3))
                .matches(e -> e.position() == 3 + position, "position " + (3 + position));
    }
}
