package io.slipstream.data.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Long form: {@code -Dslipstream.text.cases=20000000}. */
class NumbersTest {
    private static final int CASES = Integer.getInteger("slipstream.text.cases", 200_000);

    private final long seed = System.nanoTime();
    private final SplittableRandom random = new SplittableRandom(seed);
    private final byte[] buffer = new byte[40];

    private long anyLong() {
        return random.nextLong() >> random.nextInt(64);
    }

    @Test
    void writesAndReadsWholeNumbersAsTheJdkDoes() {
        for (int i = 0; i < CASES; i++) {
            checkLong(anyLong());
        }
        for (long power = 1; power > 0 && power < Long.MAX_VALUE / 10; power *= 10) {
            for (long delta = -1; delta <= 1; delta++) {
                checkLong(power + delta);
                checkLong(-power + delta);
            }
        }
        checkLong(Long.MIN_VALUE);
        checkLong(Long.MIN_VALUE + 1);
        checkLong(Long.MAX_VALUE);
    }

    private void checkLong(long value) {
        int end = LongText.write(value, buffer, 2);
        String expected = Long.toString(value);
        if (!Bytes.text(buffer, 2, end).equals(expected) || LongText.parse(buffer, 2, end) != value) {
            throw new AssertionError(expected + " is written as " + Bytes.text(buffer, 2, end) + ", seed " + seed);
        }
        byte[] tight = Bytes.of(expected);
        if (LongText.parse(tight, 0, tight.length) != value) {
            throw new AssertionError(expected + " is not read back from an array of its length");
        }
    }

    @Test
    void readsSignsAndLeadingZeros() {
        byte[] bytes = Bytes.withMargin("+000000000000000000000000042");
        assertThat(LongText.parse(bytes, 3, bytes.length - 3)).isEqualTo(42);
    }

    @ParameterizedTest
    @CsvSource({
        "'',0",
        "-,1",
        "12x4,2",
        "x,0",
        "123456789x,9",
        "1234567x,7",
        "12345678/,8",
        "12345678:,8",
        "' 1',0",
        "'1 ',1",
        "--1,1",
        "9223372036854775808,0",
        "-9223372036854775809,0",
        "99999999999999999999,0",
        "1.0,1",
        "12\u0664,2"
    })
    void refusesWhatIsNoWholeNumberAndSaysWhere(String text, int position) {
        byte[] bytes = Bytes.withMargin(text);
        assertThatExceptionOfType(TextException.class)
                .isThrownBy(() -> LongText.parse(bytes, 3, bytes.length - 3))
                .matches(e -> e.position() == 3 + position, "position " + (3 + position));
    }

    @Test
    void anErrorTellsWhatWasExpectedAndWhatIsThere() {
        assertThatExceptionOfType(TextException.class)
                .isThrownBy(() -> LongText.parse(Bytes.of("12x4"), 0, 4))
                .withMessage("expected a digit at position 2, found 'x' in '12x4'");
    }

    @Test
    void writesAndReadsDecimalsAsBigDecimalDoes() {
        for (int i = 0; i < CASES; i++) {
            long mantissa = anyLong();
            checkDecimal(mantissa, random.nextInt(DecimalText.MAX_SCALE + 1));
        }
        for (int scale = 0; scale <= DecimalText.MAX_SCALE; scale++) {
            checkDecimal(Long.MIN_VALUE, scale);
            checkDecimal(Long.MAX_VALUE, scale);
            checkDecimal(0, scale);
        }
    }

    private void checkDecimal(long mantissa, int scale) {
        int end = DecimalText.write(mantissa, scale, buffer, 1);
        String expected = BigDecimal.valueOf(mantissa, scale).toPlainString();
        if (!Bytes.text(buffer, 1, end).equals(expected)
                || DecimalText.parse(buffer, 1, end, scale) != mantissa
                || DecimalText.scaleOf(buffer, 1, end) != scale) {
            throw new AssertionError(expected + " is written as " + Bytes.text(buffer, 1, end) + ", seed " + seed);
        }
    }

    @Test
    void bringsDecimalsToTheScaleThatIsAskedFor() {
        for (int i = 0; i < CASES / 10; i++) {
            BigDecimal decimal = BigDecimal.valueOf(anyLong(), random.nextInt(12));
            int scale = random.nextInt(19);
            byte[] bytes = Bytes.withMargin(decimal.toPlainString());
            BigInteger expected = fits(decimal, scale);
            try {
                assertThat(DecimalText.parse(bytes, 3, bytes.length - 3, scale)).isEqualTo(expected.longValueExact());
            } catch (TextException e) {
                assertThat(expected.signum() == 0 && decimal.signum() != 0)
                        .as("%s at %s", decimal, scale)
                        .isTrue();
            }
        }
    }

    private static BigInteger fits(BigDecimal decimal, int scale) {
        try {
            BigInteger mantissa = decimal.setScale(scale).unscaledValue();
            return mantissa.bitLength() < 64 ? mantissa : BigInteger.ZERO;
        } catch (ArithmeticException e) {
            return BigInteger.ZERO;
        }
    }

    @ParameterizedTest
    @CsvSource({"'',0", ".,1", "-.,2", "1.2.3,3", "1.005,4", "1e5,1", "92233720368547758.08,0", "92233720368547759,0"})
    void refusesWhatIsNoDecimalOfThatScale(String text, int position) {
        byte[] bytes = Bytes.withMargin(text);
        assertThatExceptionOfType(TextException.class)
                .isThrownBy(() -> DecimalText.parse(bytes, 3, bytes.length - 3, 2))
                .matches(e -> e.position() == 3 + position, "position " + (3 + position));
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "5.", "5.0", "+5.00", "05.000000"})
    void readsDecimalsInAllTheirForms(String text) {
        byte[] bytes = Bytes.of(text);
        assertThat(DecimalText.parse(bytes, 0, bytes.length, 2)).isEqualTo(500);
    }

    @Test
    void readsADecimalWithoutDigitsBeforeThePoint() {
        assertThat(DecimalText.parse(Bytes.of("-.5"), 0, 3, 2)).isEqualTo(-50);
    }

    @Test
    void writesAndReadsHexadecimalAsTheJdkDoes() {
        for (int i = 0; i < CASES / 4; i++) {
            long value = anyLong();
            int end = HexText.write(value, buffer, 1);
            assertThat(Bytes.text(buffer, 1, end)).isEqualTo(String.format("%016x", value));
            assertThat(HexText.parse(buffer, 1, end)).isEqualTo(value);
            byte[] upper = Bytes.of(Long.toHexString(value).toUpperCase(Locale.ROOT));
            assertThat(HexText.parse(upper, 0, upper.length)).isEqualTo(value);
        }
    }

    @Test
    void writesAndReadsBytesAsHexadecimal() {
        byte[] from = {0, 1, (byte) 0xfe, (byte) 0xff};
        int end = HexText.write(from, 1, 4, buffer, 2);
        assertThat(Bytes.text(buffer, 2, end)).isEqualTo("01feff");
        byte[] to = new byte[5];
        assertThat(HexText.parse(buffer, 2, end, to, 1)).isEqualTo(4);
        assertThat(to).containsExactly(0, 1, 0xfe, 0xff, 0);
    }

    @ParameterizedTest
    @CsvSource({"'',0", "g,0", "0x1,1", "12345678901234567,16"})
    void refusesWhatIsNotHexadecimal(String text, int position) {
        byte[] bytes = Bytes.of(text);
        assertThatExceptionOfType(TextException.class)
                .isThrownBy(() -> HexText.parse(bytes, 0, bytes.length))
                .matches(e -> e.position() == position, "position " + position);
    }

    @Test
    void writesAndReadsBooleans() {
        for (boolean value : new boolean[] {true, false}) {
            int end = BooleanText.write(value, buffer, 3);
            assertThat(Bytes.text(buffer, 3, end)).isEqualTo(Boolean.toString(value));
            assertThat(BooleanText.parse(buffer, 3, end)).isEqualTo(value);
        }
    }

    @ParameterizedTest
    @CsvSource({"'',0", "tru,3", "True,0", "falsey,5", "yes,0"})
    void refusesWhatIsNoBoolean(String text, int position) {
        byte[] bytes = Bytes.of(text);
        assertThatExceptionOfType(TextException.class)
                .isThrownBy(() -> BooleanText.parse(bytes, 0, bytes.length))
                .matches(e -> e.position() == position, "position " + position);
    }

    @Test
    void hasNoRoomInAnArrayThatIsTooShort() {
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> LongText.write(12_345, new byte[4], 0));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> LongText.parse(new byte[4], 2, 5));
    }
}
