package io.slipstream.benchmarks.text;

import ch.randelshofer.fastdoubleparser.JavaBigDecimalParser;
import ch.randelshofer.fastdoubleparser.JavaDoubleParser;
import io.slipstream.benchmarks.suite.Comparison;
import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.benchmarks.suite.Plan;
import io.slipstream.benchmarks.suite.Suite;
import io.slipstream.benchmarks.suite.Unit;
import io.slipstream.data.text.DecimalText;
import io.slipstream.data.text.DoubleText;
import io.slipstream.data.text.InstantText;
import io.slipstream.data.text.LongText;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/** Text from and to bytes. */
public final class TextSuite implements Suite {
    private static final Unit NANOS = Unit.cost("ns/value");
    private static final int SLOT = Values.SLOT;

    /** One direction of one kind of value. */
    private interface Side {
        long run(Values values, int i, byte[] to);
    }

    @Override
    public String name() {
        return "text";
    }

    @Override
    public List<String> jvmOptions() {
        return List.of("-Xms1g", "-Xmx1g");
    }

    private static long sum(byte[] bytes, int end) {
        return bytes[0] + bytes[end - 1] + 31L * end;
    }

    private static long put(String text, byte[] to) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(bytes, 0, to, 0, bytes.length);
        return sum(to, bytes.length);
    }

    private static String text(byte[] bytes, int at, int end) {
        return new String(bytes, at, end - at, StandardCharsets.ISO_8859_1);
    }

    private static Contest contest(Side ours, Side peer) {
        Values values = new Values();
        byte[] to = new byte[64];
        return new TextContest(() -> all(ours, values, to), () -> all(peer, values, to), Values.COUNT);
    }

    private static long all(Side side, Values values, byte[] to) {
        long sum = 0;
        for (int i = 0; i < Values.COUNT; i++) {
            sum += side.run(values, i, to);
        }
        return sum;
    }

    private static Comparison comparison(
            boolean quick, String name, String peerName, double target, Side ours, Side peer) {
        return new Comparison(name, NANOS, peerName, target, Plan.of(quick), () -> contest(ours, peer));
    }

    @Override
    public List<Comparison> comparisons(boolean quick) {
        Side readDouble =
                (v, i, _) -> Double.doubleToRawLongBits(DoubleText.parse(v.doubleText, i * SLOT, v.doubleEnd[i]));
        Side readDecimal = (v, i, _) -> DecimalText.parse(v.decimalText, i * SLOT, v.decimalEnd[i], Values.SCALE);
        return List.of(
                comparison(
                        quick,
                        "long from bytes",
                        "JDK",
                        0.5,
                        (v, i, _) -> LongText.parse(v.longText, i * SLOT, v.longEnd[i]),
                        (v, i, _) -> Long.parseLong(text(v.longText, i * SLOT, v.longEnd[i]))),
                comparison(
                        quick,
                        "long to bytes",
                        "JDK",
                        0.5,
                        (v, i, to) -> sum(to, LongText.write(v.longs[i], to, 0)),
                        (v, i, to) -> put(Long.toString(v.longs[i]), to)),
                comparison(
                        quick,
                        "decimal from bytes",
                        "JDK BigDecimal",
                        0.5,
                        readDecimal,
                        (v, i, _) -> new BigDecimal(text(v.decimalText, i * SLOT, v.decimalEnd[i]))
                                .unscaledValue()
                                .longValue()),
                comparison(
                        quick,
                        "decimal from bytes",
                        "FastDoubleParser 2.0.1",
                        1.0,
                        readDecimal,
                        (v, i, _) -> JavaBigDecimalParser.parseBigDecimal(
                                        v.decimalText, i * SLOT, v.decimalEnd[i] - i * SLOT)
                                .unscaledValue()
                                .longValue()),
                comparison(
                        quick,
                        "decimal to bytes",
                        "JDK BigDecimal",
                        0.5,
                        (v, i, to) -> sum(to, DecimalText.write(v.decimals[i], Values.SCALE, to, 0)),
                        (v, i, to) -> put(
                                BigDecimal.valueOf(v.decimals[i], Values.SCALE).toPlainString(), to)),
                comparison(
                        quick,
                        "double from bytes",
                        "JDK",
                        0.5,
                        readDouble,
                        (v, i, _) -> Double.doubleToRawLongBits(
                                Double.parseDouble(text(v.doubleText, i * SLOT, v.doubleEnd[i])))),
                comparison(
                        quick,
                        "double from bytes",
                        "FastDoubleParser 2.0.1",
                        1.0,
                        readDouble,
                        (v, i, _) -> Double.doubleToRawLongBits(
                                JavaDoubleParser.parseDouble(v.doubleText, i * SLOT, v.doubleEnd[i] - i * SLOT))),
                comparison(
                        quick,
                        "double to bytes",
                        "JDK",
                        0.5,
                        (v, i, to) -> sum(to, DoubleText.write(v.doubles[i], to, 0)),
                        (v, i, to) -> put(Double.toString(v.doubles[i]), to)),
                comparison(
                        quick,
                        "instant from bytes",
                        "JDK",
                        0.5,
                        (v, i, _) -> InstantText.parse(v.instantText, i * SLOT, v.instantEnd[i]),
                        (v, i, _) -> nanos(Instant.parse(text(v.instantText, i * SLOT, v.instantEnd[i])))),
                comparison(
                        quick,
                        "instant to bytes",
                        "JDK",
                        0.5,
                        (v, i, to) -> sum(to, InstantText.write(v.instants[i] / 1000 * 1000 + 1, to, 0)),
                        (v, i, to) ->
                                put(instant(v.instants[i] / 1000 * 1000 + 1).toString(), to)),
                new Comparison(
                        "split CSV and sum a column",
                        Unit.cost("s/GB"),
                        "sesseltjonna-csv 1.0.24",
                        0.5,
                        Plan.of(quick),
                        () -> new CsvContest(quick ? 100 << 20 : 1 << 30)));
    }

    private static long nanos(Instant instant) {
        return instant.getEpochSecond() * 1_000_000_000 + instant.getNano();
    }

    private static Instant instant(long nanos) {
        return Instant.ofEpochSecond(0, nanos);
    }
}
