package io.slipstream.data.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.data.CommitLevel;
import io.slipstream.data.EncodeException;
import io.slipstream.data.annotation.Id;
import io.slipstream.data.annotation.MaxLength;
import io.slipstream.data.codec.Codec;
import io.slipstream.data.codec.Flyweight;
import io.slipstream.data.schema.Schema;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values that are written to a container file are read from it, in their order. */
class ContainerFileTest {
    /** About as many as three of these fill a block. */
    static final int SMALL_BLOCK = 128;

    record Entry(long id, String text) {
        static Entry of(long id) {
            return new Entry(id, "t" + id % 10);
        }
    }

    sealed interface Command {}

    record Place(long id, @MaxLength(4) String symbol) implements Command {}

    record Cancel(long id) implements Command {}

    interface Quote {
        long bid();

        void bid(long value);
    }

    enum Side {
        BUY,
        SELL
    }

    @Id(7)
    record Order(long id, Side side) {}

    static final Codec<Entry> ENTRIES = Codec.of(Entry.class);

    @TempDir
    Path temp;

    /** Returns all values that a reader comes to. */
    static <T> List<T> rest(ContainerFileReader<T> in) throws IOException {
        List<T> all = new ArrayList<>();
        while (in.next()) {
            all.add(in.value());
        }
        return all;
    }

    static List<Entry> entries(long count) {
        return LongStream.range(0, count).mapToObj(Entry::of).toList();
    }

    private static <T> void write(Path file, Codec<T> codec, List<T> values) throws IOException {
        try (ContainerFileWriter<T> out = ContainerFileWriter.create(file, codec, SMALL_BLOCK)) {
            for (T value : values) {
                out.append(value);
            }
        }
    }

    @Test
    void hasAllValuesInTheirOrder() throws IOException {
        Path file = temp.resolve("entries");
        write(file, ENTRIES, entries(1_000));
        try (ContainerFileReader<Entry> in = ContainerFileReader.open(file, ENTRIES)) {
            assertThat(rest(in)).isEqualTo(entries(1_000));
            assertThat(in.isComplete()).isTrue();
            assertThat(in.tornBytes()).isZero();
            assertThat(in.next()).isFalse();
            assertThat(in.definitions()).isEqualTo(Schema.of(Entry.class).definitions());
        }
    }

    @Test
    void hasValuesOfSeveralRecords() throws IOException {
        Path file = temp.resolve("commands");
        List<Command> commands = List.of(new Place(1, "EUR"), new Cancel(1), new Place(2, "USD"));
        write(file, Codec.of(Command.class), commands);
        try (ContainerFileReader<Command> in = ContainerFileReader.open(file, Codec.of(Command.class))) {
            assertThat(rest(in)).isEqualTo(commands);
        }
    }

    @Test
    void hasValuesThatAreLongerThanABlock() throws IOException {
        Path file = temp.resolve("entries");
        List<Entry> all = List.of(
                Entry.of(1),
                new Entry(2, "x".repeat(200_000)),
                Entry.of(3),
                new Entry(4, "y".repeat(SMALL_BLOCK)),
                Entry.of(5));
        write(file, ENTRIES, all);
        try (ContainerFileReader<Entry> in = ContainerFileReader.open(file, ENTRIES)) {
            assertThat(rest(in)).isEqualTo(all);
        }
    }

    @Test
    void anEmptyOneIsComplete() throws IOException {
        Path file = temp.resolve("entries");
        ContainerFileWriter.create(file, ENTRIES).close();
        try (ContainerFileReader<Entry> in = ContainerFileReader.open(file, ENTRIES)) {
            assertThat(in.next()).isFalse();
            assertThat(in.isComplete()).isTrue();
        }
    }

    @Test
    void givesTheBytesOfEachValue() throws IOException {
        Codec<Quote> quotes = Codec.of(Quote.class);
        Flyweight<Quote> flyweight = quotes.flyweight();
        Quote quote = flyweight.begin(MemorySegment.ofArray(new byte[64]), 0, 64);
        Path file = temp.resolve("quotes");
        try (ContainerFileWriter<Quote> out = ContainerFileWriter.create(file, quotes)) {
            for (long bid = 0; bid < 10; bid++) {
                quote.bid(bid);
                out.append(quote);
            }
        }
        byte[] bytes = Files.readAllBytes(file);
        try (ContainerFileReader<Quote> in = ContainerFileReader.open(file, quotes);
                ContainerFileReader<MemorySegment> raw = ContainerFileReader.openBytes(file)) {
            for (long bid = 0; bid < 10; bid++) {
                assertThat(in.next() && raw.next()).isTrue();
                assertThat(flyweight.wrap(in.memory(), in.offset(), in.length()).bid())
                        .isEqualTo(bid);
                assertThat(raw.value().mismatch(in.memory().asSlice(in.offset(), in.length())))
                        .isEqualTo(-1);
                assertThat(MemorySegment.ofArray(bytes)
                                .asSlice(in.position(), in.length())
                                .mismatch(raw.value()))
                        .isEqualTo(-1);
            }
            assertThat(in.next() || raw.next()).isFalse();
        }
    }

    @Test
    void isReadBesideItsWriter() throws IOException {
        Path file = temp.resolve("entries");
        ContainerFileWriter<Entry> out = ContainerFileWriter.create(file, ENTRIES);
        try (ContainerFileReader<Entry> in = ContainerFileReader.open(file, ENTRIES)) {
            for (int round = 0; round < 5; round++) {
                out.append(Entry.of(round));
                assertThat(in.next()).isFalse();
                out.commit();
                out.commit();
                assertThat(rest(in)).containsExactly(Entry.of(round));
                assertThat(in.isComplete()).isFalse();
            }
            out.append(Entry.of(5));
            out.close();
            assertThat(rest(in)).containsExactly(Entry.of(5));
            assertThat(in.isComplete()).isTrue();
        }
    }

    @Test
    void aValueThatDoesNotFitWasNeverThere() throws IOException {
        Path file = temp.resolve("places");
        Codec<Place> places = Codec.of(Place.class);
        try (ContainerFileWriter<Place> out = ContainerFileWriter.create(file, places)) {
            out.append(new Place(1, "EUR"));
            assertThatThrownBy(() -> out.append(new Place(2, "EURUSD")))
                    .isInstanceOf(EncodeException.class)
                    .hasMessageContaining("Place.symbol");
            out.append(new Place(3, "USD"));
        }
        try (ContainerFileReader<Place> in = ContainerFileReader.open(file, places)) {
            assertThat(rest(in)).containsExactly(new Place(1, "EUR"), new Place(3, "USD"));
        }
    }

    /** The bytes were computed from docs/data-format.md. */
    @Test
    void hasTheBytesOfTheDocument() throws IOException {
        List<Order> orders = List.of(new Order(1, Side.BUY), new Order(2, Side.SELL));
        byte[] golden = HexFormat.of().parseHex(golden().replaceAll("\\s", ""));
        Path file = temp.resolve("orders");
        write(file, Codec.of(Order.class), orders);
        assertThat(file).hasBinaryContent(golden);
        try (ContainerFileReader<Order> in = ContainerFileReader.open(file, Codec.of(Order.class))) {
            assertThat(rest(in)).isEqualTo(orders);
        }
        golden[8]++;
        Files.write(file, golden);
        assertThatThrownBy(() -> ContainerFileReader.open(file, Codec.of(Order.class)))
                .hasMessageContaining(file + " has version 2 of the format; this release reads version 1");
    }

    private static String golden() throws IOException {
        try (var in = Objects.requireNonNull(
                ContainerFileTest.class.getResourceAsStream("/io/slipstream/data/container-1.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void leavesAFileThatIsThere() throws IOException {
        Path file = Files.writeString(temp.resolve("mine"), "mine");
        assertThatThrownBy(() -> ContainerFileWriter.create(file, ENTRIES))
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessageContaining("mine: it is there already; a container file is written once");
        assertThat(file).hasContent("mine");
    }

    @Test
    void saysWhichFileCannotBeRead() throws IOException {
        Path missing = temp.resolve("missing");
        Path empty = Files.createFile(temp.resolve("empty"));
        Path text = Files.writeString(temp.resolve("text"), "record Order id 7 {");
        assertThatThrownBy(() -> ContainerFileReader.open(missing, ENTRIES))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("missing: there is no such file");
        assertThatThrownBy(() -> ContainerFileReader.open(temp, ENTRIES))
                .hasMessageContaining(temp + " is a folder; name a file in it");
        assertThatThrownBy(() -> ContainerFileReader.open(empty, ENTRIES))
                .hasMessageContaining(empty + " is no container file: it is empty");
        assertThatThrownBy(() -> ContainerFileReader.open(text, ENTRIES))
                .hasMessageContaining(text + " is no container file: it does not begin with \"slpsmsgs\"");
        assertThat(ContainerFileReader.isContainerFile(missing)).isFalse();
        assertThat(ContainerFileReader.isContainerFile(temp)).isFalse();
        assertThat(ContainerFileReader.isContainerFile(empty)).isFalse();
        assertThat(ContainerFileReader.isContainerFile(text)).isFalse();
    }

    @Test
    void saysThatItIsClosed() throws IOException {
        Path file = temp.resolve("entries");
        ContainerFileWriter<Entry> out = ContainerFileWriter.create(file, ENTRIES);
        out.append(Entry.of(1));
        out.close();
        out.close();
        assertThatThrownBy(() -> out.append(Entry.of(2)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the writer of " + file + " is closed");
        assertThatThrownBy(out::commit).isInstanceOf(IllegalStateException.class);
        ContainerFileReader<Entry> in = ContainerFileReader.open(file, ENTRIES);
        assertThatThrownBy(in::value)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("there is no value");
        assertThat(in.next()).isTrue();
        in.close();
        in.close();
        assertThatThrownBy(in::value).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(in::next)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the reader of " + file + " is closed");
    }

    @Test
    void anInterruptedThreadWritesAndReadsAndStaysInterrupted() throws IOException {
        Path file = temp.resolve("entries");
        Thread.currentThread().interrupt();
        try (ContainerFileWriter<Entry> out = ContainerFileWriter.create(file, ENTRIES, SMALL_BLOCK)) {
            for (Entry entry : entries(20)) {
                out.append(entry);
                out.commit(CommitLevel.SYNC);
            }
        }
        try (ContainerFileReader<Entry> in = ContainerFileReader.open(file, ENTRIES)) {
            assertThat(rest(in)).isEqualTo(entries(20));
        }
        assertThat(Thread.interrupted()).isTrue();
    }
}
