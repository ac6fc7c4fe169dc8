package io.slipstream.data.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.annotation.Optional;
import io.slipstream.data.annotation.Scale;
import io.slipstream.data.json.Json;
import io.slipstream.data.text.CsvFormat;
import io.slipstream.data.text.CsvReader;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A list as CSV and as JSON, and CSV into a list: every digit, and what is absent, comes back. */
@ParameterizedClass
@EnumSource(ListLayout.class)
class ListTextTest {
    enum Side {
        BUY,
        SELL
    }

    record Hedge(@Optional @Nullable String name, int ratio) {}

    record Leg(
            @Scale(3) BigDecimal ratio, @Optional @Nullable Hedge hedge) {}

    record Trade(
            long id,
            int number,
            byte small,
            short two,
            char letter,
            boolean flag,
            float single,
            double twofold,
            @Scale(2) BigDecimal price,
            Side side,
            String text,
            @Optional @Nullable String tag,
            @Nullable Integer box,
            Instant at,
            Duration took,
            LocalDate day,
            UUID uuid,
            @Optional @Nullable Leg leg) {}

    private final ListLayout layout;

    ListTextTest(ListLayout layout) {
        this.layout = layout;
    }

    private static Trade trade(long id, @Nullable String tag, @Nullable Leg leg) {
        return new Trade(
                id,
                -7,
                Byte.MIN_VALUE,
                Short.MAX_VALUE,
                ',',
                true,
                0.1f,
                1e-300,
                new BigDecimal("12345678901234567.10"),
                Side.SELL,
                id % 2 == 0 ? "" : "a, \"b\"\r\n\u20ac",
                tag,
                tag == null ? null : Integer.valueOf(3),
                Instant.parse("2026-11-23T04:05:06.123456789Z"),
                Duration.ofNanos(-1),
                LocalDate.of(2026, 2, 28),
                new UUID(1, id),
                leg);
    }

    private static final List<Trade> TRADES = List.of(
            trade(1, null, null),
            trade(2, "", new Leg(new BigDecimal("0.125"), null)),
            trade(3, "x", new Leg(new BigDecimal("-1.000"), new Hedge(null, 4))),
            trade(4, "y", new Leg(new BigDecimal("7.000"), new Hedge("", 5))));

    private HugeList<Trade> trades() {
        HugeList<Trade> list = layout.of(Trade.class);
        TRADES.forEach(list::add);
        return list;
    }

    private static CsvReader csv(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return CsvReader.of(bytes, 0, bytes.length, CsvFormat.RFC_4180);
    }

    private static String csv(HugeList<?> list) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ListCsv.write(list, out);
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void whatIsWrittenAsCsvIsReadAgain() throws IOException {
        try (HugeList<Trade> list = trades();
                HugeList<Trade> again = layout.of(Trade.class)) {
            String text = csv(list);
            assertThat(text)
                    .startsWith("id,number,small,two,letter,flag,single,twofold,price,side,text,tag,box,at,took,day,"
                            + "uuid,leg.ratio,leg.hedge.name,leg.hedge.ratio\r\n")
                    .contains(
                            ",12345678901234567.10,SELL,\"a, \"\"b\"\"\r\n\u20ac\",,,2026-11-23T04:05:06.123456789Z,");
            assertThat(ListCsv.read(again, csv(text))).isEqualTo(4);
            assertThat(again.stream().toList()).isEqualTo(TRADES);
        }
    }

    @Test
    void someRowsAreWrittenToo() throws IOException {
        try (HugeList<Trade> list = trades()) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ListCsv.write(list, list.longs("id").whereBetween(2, 3), out);
            assertThat(out.toString(StandardCharsets.UTF_8).lines().filter(line -> line.contains("12345678901234567")))
                    .hasSize(2);
            ByteArrayOutputStream json = new ByteArrayOutputStream();
            ListJson.write(list, list.longs("id").whereBetween(2, 3), Json.of(Trade.class), json);
            assertThat(json.toString(StandardCharsets.UTF_8).lines()).hasSize(2);
        }
    }

    @Test
    void whatIsWrittenAsJsonIsReadAgain() throws IOException {
        try (HugeList<Trade> list = trades()) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ListJson.write(list, out);
            String text = out.toString(StandardCharsets.UTF_8);
            assertThat(text).contains("\"price\":12345678901234567.10,");
            Json<Trade> json = Json.of(Trade.class);
            List<Trade> again = new ArrayList<>();
            text.lines().forEach(line -> again.add(json.read(line)));
            assertThat(again).isEqualTo(TRADES);
        }
    }

    record Small(
            long id,
            byte count,
            String name,
            @Optional @Nullable String tag) {}

    @Test
    void fieldsAreFoundByNameAndThoseThatMayLackAre() throws IOException {
        try (HugeList<Small> list = layout.builder(Small.class).identity("id").inMemory()) {
            assertThat(ListCsv.read(list, csv("count,id\n5,1\n6,2\n"))).isEqualTo(2);
            assertThat(list.stream())
                    .containsExactly(new Small(1, (byte) 5, "", null), new Small(2, (byte) 6, "", null));
            assertThat(list.rowOf(2)).isEqualTo(1);
        }
    }

    @Test
    void aRecordThatDoesNotFitIsNamedAndWasNeverThere() throws IOException {
        try (HugeList<Small> list = layout.builder(Small.class).identity("id").inMemory()) {
            refused(list, "", "no heading");
            refused(list, "id,price\n", "the heading has 'price', but Small has [id, count, name, tag]");
            refused(list, "id,\u0007e\u200b\n", "the heading has '\\u{7}e\\u{200b}', but Small has");
            refused(list, "id,id\n", "twice");
            refused(list, "id\n", "lacks 'count'");
            refused(list, "id,count\n1\n", "record 2 has 1 fields");
            refused(list, "id,count\n1,\n", "record 2, count: there is no value");
            refused(list, "id,count\n1,128\n", "record 2, count: 128 is not from -128 to 127");
            refused(list, "id,count\n1,x\n", "record 2, count: expected");
            assertThat(list.size()).isZero();
            refused(list, "id,count\n1,1\n1,2\n", "record 3, id: Small: row 0 has the identity 1 already");
            assertThat(list.stream()).containsExactly(new Small(1, (byte) 1, "", null));
        }
    }

    private static void refused(HugeList<?> list, String text, String why) {
        assertThatThrownBy(() -> ListCsv.read(list, csv(text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    @Test
    void bytesThatAreNoTextAreToldByTheirLine() {
        byte[] bytes = {'\n', '{', (byte) 0xff};
        BufferedReader lines = new BufferedReader(
                new InputStreamReader(new ByteArrayInputStream(bytes), StandardCharsets.UTF_8.newDecoder()));
        try (HugeList<Trade> list = layout.of(Trade.class)) {
            assertThatThrownBy(() -> ListJson.read(list, Json.of(Trade.class), lines))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(", or one behind it, is not in the encoding of the reader");
            assertThat(list.size()).isZero();
        }
    }
}
