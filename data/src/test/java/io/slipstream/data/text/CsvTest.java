package io.slipstream.data.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsvTest {
    private static final int CASES = Integer.getInteger("slipstream.text.cases", 2_000);
    private static final String[] PIECES = {
        "a", "bc", "12.5", "\"", ",", "\n", "\r\n", "\r", " ", "ü", "\u20ac", "\ud83d\ude00", "-1", "0123456789"
    };

    private final long seed = System.nanoTime();

    private static List<List<String>> read(CsvReader reader) throws IOException {
        List<List<String>> records = new ArrayList<>();
        while (reader.next()) {
            List<String> fields = new ArrayList<>();
            reader.addTo(fields);
            records.add(fields);
        }
        return records;
    }

    private static List<List<String>> read(String text) throws IOException {
        byte[] bytes = Bytes.withMargin(text);
        return read(CsvReader.of(bytes, Bytes.MARGIN, bytes.length - Bytes.MARGIN, CsvFormat.RFC_4180));
    }

    @Test
    void splitsRecordsIntoFields() throws IOException {
        assertThat(read("a,b\r\n1,\"x, \"\"y\"\"\"\n,\r\"\",z"))
                .containsExactly(List.of("a", "b"), List.of("1", "x, \"y\""), List.of("", ""), List.of("", "z"));
    }

    @Test
    void anEmptyLineIsARecordOfOneEmptyFieldAndTheEndOfTheLastLineIsNoRecord() throws IOException {
        assertThat(read("")).isEmpty();
        assertThat(read("a\n\nb\n")).containsExactly(List.of("a"), List.of(""), List.of("b"));
        assertThat(read("\"a\"")).containsExactly(List.of("a"));
        assertThat(read("a,")).containsExactly(List.of("a", ""));
    }

    @Test
    void aTextThatUtf8CannotWriteIsRefusedAndNothingIsAdded() {
        TextBuffer text = new TextBuffer(16);
        CsvWriter writer = new CsvWriter(text, CsvFormat.RFC_4180).field("a");
        for (String bad : List.of("\ud800", ",\udc00", "\ud800x")) {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> writer.field(bad))
                    .withMessageContaining("half a surrogate pair");
        }
        writer.field("\ud83d\ude00").endRecord();
        assertThat(text).hasToString("a,\ud83d\ude00\r\n");
    }

    @Test
    void whatIsWrittenIsReadAgain() throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < CASES; i++) {
            List<List<String>> records = new ArrayList<>();
            TextBuffer text = new TextBuffer(16);
            CsvWriter writer = new CsvWriter(text, CsvFormat.RFC_4180);
            for (int record = random.nextInt(5); record > 0; record--) {
                List<String> fields = new ArrayList<>();
                for (int field = random.nextInt(6) + 1; field > 0; field--) {
                    StringBuilder value = new StringBuilder();
                    for (int pieces = random.nextInt(6); pieces > 0; pieces--) {
                        value.append(PIECES[random.nextInt(PIECES.length)]);
                    }
                    fields.add(value.toString());
                    writer.field(value);
                }
                writer.endRecord();
                records.add(fields);
            }
            assertThat(read(CsvReader.of(text.bytes(), 0, text.length(), CsvFormat.RFC_4180)))
                    .as("seed %s", seed)
                    .isEqualTo(records);
            // In pieces, and with a window so small that it is filled and grown all the time.
            ByteArrayInputStream in = new ByteArrayInputStream(text.bytes(), 0, text.length());
            assertThat(read(CsvReader.of(Channels.newChannel(in), CsvFormat.RFC_4180, Math.max(1, text.length()))))
                    .as("seed %s", seed)
                    .isEqualTo(records);
        }
    }

    @Test
    void readsALongInputThroughItsWindow() throws IOException {
        StringBuilder text = new StringBuilder();
        long expected = 0;
        for (int i = 0; i < 40_000; i++) {
            text.append(i)
                    .append(",\"q,")
                    .append(i % 7)
                    .append("\",")
                    .append(i * 5)
                    .append(".25\n");
            expected += i * 500L + 25;
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
        CsvReader reader = CsvReader.of(Channels.newChannel(new ByteArrayInputStream(bytes)), CsvFormat.RFC_4180);
        long sum = 0;
        while (reader.next()) {
            assertThat(reader.fieldCount()).isEqualTo(3);
            sum += reader.decimalAt(2, 2);
        }
        assertThat(sum).isEqualTo(expected);
        assertThat(reader.records()).isEqualTo(40_000);
    }

    @Test
    void readsNumbersOfAllKinds() throws IOException {
        TextBuffer text = new TextBuffer(1);
        new CsvWriter(text, CsvFormat.TABS)
                .field(-7)
                .field(0.1)
                .decimal(1250, 2)
                .field(true)
                .instant(1)
                .field("a\tb")
                .endRecord();
        CsvReader reader = CsvReader.of(text.bytes(), 0, text.length(), CsvFormat.TABS);
        assertThat(reader.next()).isTrue();
        assertThat(reader.longAt(0)).isEqualTo(-7);
        assertThat(reader.doubleAt(1)).isEqualTo(0.1);
        assertThat(reader.decimalAt(2, 4)).isEqualTo(125_000);
        assertThat(reader.booleanAt(3)).isTrue();
        assertThat(reader.instantAt(4)).isEqualTo(1);
        assertThat(reader.stringAt(5)).isEqualTo("a\tb");
        assertThat(reader.next()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '\'',
            value = {"'a\"b',1", "'a,\"b',2", "'\"a\"b',3", "'1\n\"a',2", "'\"',0"})
    void refusesQuotesThatAreNotAsInTheStandard(String text, int position) {
        assertThatExceptionOfType(TextException.class)
                .isThrownBy(() -> read(text))
                .matches(e -> e.position() == position, "position " + position)
                .withMessageContaining("quote");
    }

    @Test
    void refusesARecordThatIsTooLongBeforeItTakesMemory() {
        byte[] bytes = Bytes.of("ab\n" + "x".repeat(100_000));
        CsvReader reader =
                CsvReader.of(Channels.newChannel(new ByteArrayInputStream(bytes)), CsvFormat.RFC_4180, 1_000);
        assertThatExceptionOfType(TextException.class)
                .isThrownBy(() -> read(reader))
                .withMessage("expected a record of at most 1000 bytes at position 3, found a longer one, record 2");
    }

    @Test
    void aWrongFieldIsNamedWithItsRecordAndPosition() throws IOException {
        byte[] bytes = Bytes.of("id,price\n1,2.5\n2,x\n");
        CsvReader reader = CsvReader.of(bytes, 0, bytes.length, CsvFormat.RFC_4180);
        reader.next();
        int price = reader.indexOf("price");
        assertThatExceptionOfType(TextException.class)
                .isThrownBy(() -> reader.indexOf("qty"))
                .withMessageContaining("'qty'")
                .withMessageContaining("['id', 'price']");
        reader.next();
        reader.next();
        assertThatExceptionOfType(TextException.class)
                .isThrownBy(() -> reader.decimalAt(price, 2))
                .withMessage("expected a digit or a point in field 1 of record 3 at position 17, found 'x'");
    }

    @Test
    void splitsLinesAndFieldsIntoTheCallersList() {
        byte[] bytes = Bytes.of("one two  three\r\nfour\n\nlast line without an end");
        Ranges lines = new Ranges();
        SplitText.lines(bytes, 0, bytes.length, lines);
        assertThat(lines.size()).isEqualTo(4);
        assertThat(Bytes.text(bytes, lines.begin(0), lines.end(0))).isEqualTo("one two  three");
        assertThat(lines.begin(2)).isEqualTo(lines.end(2));
        Ranges words = new Ranges();
        SplitText.fields(bytes, lines.begin(0), lines.end(0), (byte) ' ', words);
        assertThat(words.size()).isEqualTo(4);
        assertThat(Bytes.text(bytes, words.begin(3), words.end(3))).isEqualTo("three");
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> words.begin(4));
    }

    @Test
    void writesUtf8AsTheJdkDoes() {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < CASES; i++) {
            StringBuilder expected = new StringBuilder();
            for (int length = random.nextInt(300); length > 0; length--) {
                char c = (char) (random.nextInt(3) == 0 ? random.nextInt(0x10000) : random.nextInt(0x80));
                if (random.nextInt(20) == 0) {
                    expected.appendCodePoint(0x10000 + random.nextInt(0x1000));
                } else {
                    expected.append(c);
                }
            }
            TextBuffer text = new TextBuffer(4).append(expected);
            assertThat(text.toString())
                    .as("seed %s", seed)
                    .isEqualTo(new String(Bytes.of(expected.toString()), StandardCharsets.UTF_8));
        }
    }

    /** Gives a few bytes at a time, as a socket does, and counts them. */
    private static final class Pieces implements ReadableByteChannel {
        private final byte[] bytes;
        private final int each;
        private int at;

        Pieces(String text, int each) {
            this.bytes = text.getBytes(StandardCharsets.UTF_8);
            this.each = each;
        }

        @Override
        public int read(ByteBuffer to) {
            if (at == bytes.length) {
                return -1;
            }
            int count = Math.min(Math.min(each, to.remaining()), bytes.length - at);
            to.put(bytes, at, count);
            at += count;
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    @Test
    void piecesOfAnySizeGiveTheSameRecords() throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < CASES; i++) {
            StringBuilder text = new StringBuilder();
            for (int pieces = random.nextInt(12); pieces > 0; pieces--) {
                text.append(PIECES[random.nextInt(PIECES.length)]);
            }
            CsvReader whole = CsvReader.of(new Pieces(text.toString(), 1000), CsvFormat.RFC_4180);
            CsvReader pieces = CsvReader.of(
                    new Pieces(text.toString(), random.nextInt(3) + 1), CsvFormat.RFC_4180, random.nextInt(40) + 200);
            assertThat(tolerant(pieces)).as("seed %s: %s", seed, text).isEqualTo(tolerant(whole));
        }
    }

    /** Reads all records, and of refused ones the first line not at all. */
    private static List<List<String>> tolerant(CsvReader reader) throws IOException {
        List<List<String>> records = new ArrayList<>();
        while (true) {
            try {
                if (!reader.next()) {
                    return records;
                }
                List<String> fields = new ArrayList<>();
                reader.addTo(fields);
                records.add(fields);
            } catch (TextException e) {
                records.add(List.of("refused", Long.toString(e.position())));
                assertThat(reader.skipLine()).isTrue();
            }
        }
    }

    @Test
    @Timeout(value = 20, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aLongFieldInManyPiecesIsScannedOnce() throws IOException {
        String field = "x".repeat(8 << 20);
        CsvReader reader = CsvReader.of(new Pieces("a,\"" + field + "\",b\n", 500), CsvFormat.RFC_4180, 9 << 20);
        assertThat(reader.next()).isTrue();
        assertThat(reader.end(1) - reader.begin(1)).isEqualTo(field.length());
        assertThat(reader.stringAt(2)).isEqualTo("b");
    }

    @Test
    void readsOnBehindARecordThatIsRefused() throws IOException {
        CsvReader reader = CsvReader.of(new Pieces("a,b\nx\"y,1\nc,\"d\ne,f\n", 3), CsvFormat.RFC_4180);
        assertThat(tolerant(reader))
                .containsExactly(
                        List.of("a", "b"), List.of("refused", "5"), List.of("refused", "12"), List.of("e", "f"));
        assertThat(reader.records()).isEqualTo(4);
        assertThat(reader.skipLine()).isFalse();
    }

    @Test
    void aQuoteThatIsNeverClosedTakesNoMoreThanARecordAndIsNamed() throws IOException {
        Pieces endless = new Pieces("a\nb,\"" + "x".repeat(2 << 20), 1 << 16);
        CsvReader reader = CsvReader.of(endless, CsvFormat.RFC_4180);
        assertThat(reader.next()).isTrue();
        assertThatExceptionOfType(TextException.class)
                .isThrownBy(reader::next)
                .withMessageContaining("1048576 bytes")
                .withMessageContaining("quote at position 4 is not closed by then");
        assertThat(reader.bytes().length).isLessThanOrEqualTo((1 << 20) + 64);
        assertThat(reader.skipLine()).isTrue();
        assertThat(reader.next()).isFalse();
    }

    @Test
    void aMarkOfUtf8IsNoPartOfTheFirstField() throws IOException {
        for (String text : List.of("\ufeffid,price\n", "\ufeff\"id\",price\n")) {
            CsvReader reader = CsvReader.of(new Pieces(text, 1), CsvFormat.RFC_4180);
            assertThat(reader.next()).isTrue();
            assertThat(reader.indexOf("id")).isZero();
        }
        assertThat(read("\ufeff")).isEmpty();
    }

    @Test
    void aNameThatIsNotInTheHeadingIsToldWithWhatOneDoesNotSee() throws IOException {
        CsvReader reader = CsvReader.of(new Pieces("i\u200bd, price\n", 100), CsvFormat.RFC_4180);
        assertThat(reader.next()).isTrue();
        assertThatExceptionOfType(TextException.class)
                .isThrownBy(() -> reader.indexOf("id"))
                .withMessageContaining("'i\\u{200b}d', ' price'");
    }
}
