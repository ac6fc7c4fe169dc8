package io.slipstream.data.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.math.BigDecimal;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every double is written and read as the JDK does it. Long form: {@code -Dslipstream.text.cases=50000000}. */
class DoubleTextTest {
    private static final int CASES = Integer.getInteger("slipstream.text.cases", 300_000);

    private final long seed = System.nanoTime();
    private final SplittableRandom random = new SplittableRandom(seed);
    private final byte[] buffer = new byte[64];

    private void check(double value) {
        int end = DoubleText.write(value, buffer, 2);
        String expected = Double.toString(value);
        if (!Bytes.text(buffer, 2, end).equals(expected)) {
            throw new AssertionError(expected + " is written as " + Bytes.text(buffer, 2, end) + ", seed " + seed);
        }
        if (Double.doubleToLongBits(DoubleText.parse(buffer, 2, end)) != Double.doubleToLongBits(value)) {
            throw new AssertionError(expected + " is read as " + DoubleText.parse(buffer, 2, end) + ", seed " + seed);
        }
    }

    @Test
    void anyBits() {
        for (int i = 0; i < CASES; i++) {
            check(Double.longBitsToDouble(random.nextLong()));
        }
    }

    @Test
    void numbersOfEverydayLife() {
        for (int i = 0; i < CASES / 4; i++) {
            check(random.nextDouble());
            check(random.nextInt(2_000_000_000) / 100.0);
            check(random.nextLong() >> random.nextInt(64));
            check(random.nextInt(100_000) * Math.pow(10, random.nextInt(60) - 30));
        }
    }

    @Test
    void neighboursOfPowersOfTwoAndTen() {
        for (int e = -1074; e < 1024; e++) {
            checkAround(Math.scalb(1.0, e));
        }
        for (int e = -330; e < 310; e++) {
            checkAround(Double.parseDouble("1e" + e));
            checkAround(Double.parseDouble("9e" + e));
            checkAround(Double.parseDouble("5e" + e));
        }
    }

    private void checkAround(double value) {
        double v = value;
        for (int i = 0; i < 3; i++) {
            v = Math.nextDown(v);
        }
        for (int i = 0; i < 7; i++) {
            check(v);
            check(-v);
            v = Math.nextUp(v);
        }
    }

    /** From the papers of Steele and White, Gay, Paxson, Giulietti, and from bugs of the JDK. */
    @ParameterizedTest
    @ValueSource(
            doubles = {
                0.0,
                -0.0,
                1.0,
                10.0,
                2.0E23,
                8.41E21,
                2.0E-3,
                9.999999999999999E22,
                1.0E23,
                4.9E-324,
                9.9E-324,
                1.0E-322,
                2.2250738585072011E-308,
                2.2250738585072014E-308,
                1.7976931348623157E308,
                9007199254740991.0,
                9007199254740992.0,
                5.0E-324,
                2.98023223876953125E-8,
                1.8531501765868567E21,
                -3.347727380279489E33,
                9.5367431640625E-7,
                4.35,
                0.1,
                0.3,
                2.2204460492503131E-16,
                9999999.999999998,
                1.0E7,
                0.001,
                9.999999999999998E-4,
                123456.0,
                1234567.0,
                12345678.0,
                Double.NaN,
                Double.POSITIVE_INFINITY,
                Double.NEGATIVE_INFINITY,
                1.1E23,
                5.764607523034235E39,
                1.152921504606847E40,
                2.305843009213694E40
            })
    void knownHardCases(double value) {
        check(value);
        checkAround(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2.2250738585072012e-308",
                "2.2250738585072011e-308",
                "1.00000000000000011102230246251565404",
                "1.00000000000000011102230246251565403",
                "9007199254740993",
                "9007199254740993.00000000000000000000000000001",
                "4.9406564584124654e-324",
                "2.4703282292062327208e-324",
                "2.4703282292062328e-324",
                "1.7976931348623158e308",
                "1.7976931348623159e308",
                "1e309",
                "1e-400",
                "0e999999999",
                "1e99999999999999999999",
                "1e-99999999999999999999",
                "0.000000000000000000000000000000000000000000000000000000001",
                "123456789012345678901234567890",
                "00000000000000000000000000000000000000001.5",
                "6.02214076e23",
                "+1",
                "1.",
                ".5",
                "-.5E+3",
                "1E5",
                "8.5e-46",
                "3.5844466002796428e+298",
                "7.2057594037927933e16",
                "9223372036854775807",
                "18446744073709551615",
                "18446744073709551616",
                "9999999999999999999",
                "99999999999999999999",
                "89255.0e-22",
                "104110013277974872254e-225",
                "5708990770823839207320493820740630171355185e-3",
                "6250000000000000000000000e-10",
                "1e22",
                "1e23",
                "123e-325",
                "0.5e-323",
                "179769313486231580793728971405301e276"
            })
    void knownHardTexts(String text) {
        byte[] bytes = Bytes.withMargin(text);
        assertThat(DoubleText.parse(bytes, 3, bytes.length - 3)).isEqualTo(Double.parseDouble(text));
    }

    @Test
    void textsOfAnyLength() {
        for (int i = 0; i < CASES / 3; i++) {
            StringBuilder text = new StringBuilder();
            for (int digits = random.nextInt(30) + 1; digits > 0; digits--) {
                text.append((char) ('0' + random.nextInt(10)));
            }
            if (random.nextBoolean()) {
                text.insert(random.nextInt(text.length() + 1), '.');
            }
            if (random.nextBoolean()) {
                text.append('e').append(random.nextInt(700) - 350);
            }
            checkText(text.toString());
        }
    }

    /** The number in the middle between two doubles, and what is just below and above it. */
    @Test
    void textsInTheMiddleBetweenTwoDoubles() {
        for (int i = 0; i < CASES / 30; i++) {
            double value = Double.longBitsToDouble(random.nextLong() & Long.MAX_VALUE);
            if (!(value < Double.MAX_VALUE) || i % 2 == 0) {
                value = random.nextInt(1 << 20) + (double) random.nextLong(1L << 52);
            }
            BigDecimal middle = new BigDecimal(value)
                    .add(new BigDecimal(Math.nextUp(value)))
                    .divide(BigDecimal.TWO);
            String text = middle.toString();
            checkText(text);
            checkText(
                    text.contains("E")
                            ? text.replace("E", text.contains(".") ? "1E" : ".1E")
                            : text + (text.contains(".") ? "1" : ".1"));
            checkText(middle.subtract(middle.ulp()).toString());
        }
    }

    private void checkText(String text) {
        byte[] bytes = Bytes.of(text);
        double expected = Double.parseDouble(text);
        if (DoubleText.parse(bytes, 0, bytes.length) != expected) {
            throw new AssertionError(text + " is read as " + DoubleText.parse(bytes, 0, bytes.length) + " instead of "
                    + expected + ", seed " + seed);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'',0",
        ".,1",
        "-,1",
        "e5,0",
        "1e,2",
        "1e+,3",
        "1.5x,3",
        "' 1',0",
        "'1 ',1",
        "1f,1",
        "0x1p3,1",
        "nan,0",
        "Infinit,0",
        "1..2,2",
        "1.2.3,3",
        "--1,1",
        "1e5.0,3"
    })
    void refusesWhatIsNoNumberAndSaysWhere(String text, int position) {
        byte[] bytes = Bytes.withMargin(text);
        assertThatExceptionOfType(TextException.class)
                .isThrownBy(() -> DoubleText.parse(bytes, 3, bytes.length - 3))
                .matches(e -> e.position() == 3 + position, "position " + (3 + position));
    }

    /** The twin has one bit of one power wrong. */
    @Test
    void findsOutATableWithAWrongBit() {
        int index = 2 * (-5 - PowersOfTen.LEAST_WRITTEN);
        long right = PowersOfTen.WRITE[index];
        long twin = right ^ 1L << 40;
        int differences = 0;
        for (int i = 0; i < 1000; i++) {
            long c = 1L << 52 | random.nextLong(1L << 52);
            differences += Math.multiplyHigh(right, c << 9) != Math.multiplyHigh(twin, c << 9) ? 1 : 0;
        }
        assertThat(differences).isPositive();
    }
}
