package io.slipstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.data.annotation.Id;
import io.slipstream.data.annotation.MaxLength;
import io.slipstream.data.codec.Codec;
import io.slipstream.data.container.ContainerFileWriter;
import io.slipstream.data.schema.Schema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Schemas from files and classes, compared, and what bytes say by them. */
class SchemaCommandTest {
    enum Side {
        BUY,
        SELL
    }

    @Id(7)
    record Order(long id, @MaxLength(8) String symbol, Side side) {}

    static final class Swapped {
        enum Side {
            SELL,
            BUY
        }

        @Id(7)
        record Order(long id, @MaxLength(8) String symbol, Side side) {}
    }

    private static final String TYPE = Order.class.getName();
    private static final Codec<Order> ORDERS = Codec.of(Order.class);
    private static final Order ORDER = new Order(1, "EURUSD", Side.SELL);

    @TempDir
    Path folder;

    private String said = "";

    /** Returns the exit code; what was printed and said is {@link #said}. */
    private int run(Object... arguments) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream printed = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        PrintStream out = System.out;
        System.setOut(printed);
        try {
            CommandLine line = Main.commandLine();
            line.setErr(new PrintWriter(printed, true, StandardCharsets.UTF_8));
            return line.execute(Arrays.stream(arguments).map(Object::toString).toArray(String[]::new));
        } finally {
            System.setOut(out);
            said = bytes.toString(StandardCharsets.UTF_8);
        }
    }

    private void refuses(String words, Object... arguments) {
        assertThat(run(arguments)).as(said).isEqualTo(1);
        assertThat(said).startsWith("slipstream: " + words).hasLineCount(1);
    }

    private Path schema() throws IOException {
        return Files.writeString(
                folder.resolve("order.schema"), Schema.of(Order.class).toString());
    }

    private Path container() throws IOException {
        Path file = folder.resolve("orders.msgs");
        try (ContainerFileWriter<Order> out = ContainerFileWriter.create(file, ORDERS)) {
            out.append(ORDER);
            out.append(new Order(2, "X", Side.BUY));
        }
        return file;
    }

    @Test
    void dumpsAContainerFile() throws IOException {
        Path file = container();
        assertThat(run("schema", "dump", file)).as(said).isZero();
        assertThat(said)
                .containsOnlyOnce("\"EURUSD\"")
                .containsOnlyOnce("\"X\"")
                .contains("SELL", "BUY");
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 20));
        assertThat(run("schema", "dump", file)).isZero();
        assertThat(said)
                .endsWith(
                        "the writer has not closed the file: it was killed, or is still writing; a block is not whole,"
                                + " of which " + (whole.length - 20 - headerBytes()) + " bytes are there\n");
        whole[whole.length - 20]++;
        Files.write(file, whole);
        refuses(file + " is damaged: in its block at byte " + headerBytes(), "schema", "dump", file);
    }

    private long headerBytes() {
        return 20 + Schema.of(Order.class).toString().length();
    }

    @Test
    void dumpsFromAPositionOn() throws IOException {
        Path file = container();
        assertThat(run("schema", "dump", file, "--from", headerBytes() + 21)).isZero();
        assertThat(said).contains("\"X\"").doesNotContain("EURUSD");
        Path values = Files.write(folder.resolve("values"), ORDERS.toBytes(ORDER));
        assertThat(run("schema", "dump", schema(), values, "--from", "-1")).isEqualTo(2);
        assertThat(said).startsWith("slipstream: --from must be 0 or more, not -1");
        refuses(
                values + " has " + Files.size(values) + " bytes, so no value is at byte 9999",
                "schema",
                "dump",
                schema(),
                values,
                "--from",
                "9999");
    }

    @Test
    void aContainerFileIsASchema() throws IOException {
        Path file = container();
        assertThat(run("schema", "show", file)).isZero();
        assertThat(said).isEqualTo(Schema.of(Order.class).toString());
        assertThat(run("schema", "check", file, TYPE)).isZero();
        assertThat(run("schema", "check", file, Swapped.Order.class.getName())).isEqualTo(1);
        assertThat(said).contains("Side: its constants were [BUY, SELL]");
    }

    @Test
    void aContainerFileAndNoOtherIsDumpedWithoutASchema() throws IOException {
        assertThat(run("schema", "dump", schema())).isEqualTo(2);
        assertThat(said).startsWith("slipstream: name FILE, too: " + schema() + " is no container file");
        Path file = container();
        refuses(file + " is a container file, which has its own schema", "schema", "dump", TYPE, file);
    }

    @Test
    void dumpsValuesBesideEachOther() throws IOException {
        byte[] one = ORDERS.toBytes(ORDER);
        byte[] two = Arrays.copyOf(one, 2 * one.length);
        System.arraycopy(one, 0, two, one.length, one.length);
        Path values = Files.write(folder.resolve("values"), two);
        assertThat(run("schema", "dump", schema(), values)).isZero();
        assertThat(said).contains("value at 0\n", "value at " + one.length + "\n");
        Files.write(values, Arrays.copyOf(two, two.length - 1));
        assertThat(run("schema", "dump", schema(), values)).isEqualTo(1);
        assertThat(said).contains("damaged: Order.symbol at byte ");
    }

    @Test
    void namesTheFileThatIsNoneOfWhatIsWanted() throws IOException {
        Path schema = schema();
        Path missing = folder.resolve("missing");
        Path empty = Files.createFile(folder.resolve("empty"));
        Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        Path wrong = Files.writeString(folder.resolve("wrong"), "record Order id 7 {\n  one long id\n}\n");
        refuses(missing + " is neither a file nor a class that can be loaded", "schema", "show", missing);
        refuses(folder + " is a folder, neither a file nor a class", "schema", "show", folder);
        refuses(empty + " is no schema: no definition is in the text", "schema", "show", empty);
        refuses(binary + " is no schema: it is not text in UTF-8", "schema", "check", schema, binary);
        refuses(wrong + " is no schema: line 2 is not a field", "schema", "diff", wrong, schema);
        refuses("no such file or directory: " + missing, "schema", "dump", schema, missing);
        refuses(folder + " is a folder; name a file in it", "schema", "dump", schema, folder);
        refuses(empty + " has 0 bytes, so no value is at byte 0", "schema", "dump", schema, empty);
    }

    @Test
    void namesTheClassThatCannotBeLoaded() throws IOException {
        Path schema = schema();
        Path none = folder.resolve("none");
        refuses("there is no " + none + ", which the class path names", "schema", "show", TYPE, "-cp", none);
        Path classes = Files.createDirectories(folder.resolve("classes/com"));
        Files.write(classes.resolve("Order.class"), new byte[] {(byte) 0xca, (byte) 0xfe});
        refuses(
                "com.Order is neither a file nor a class that can be loaded (java.lang.ClassFormatError",
                "schema",
                "check",
                schema,
                "com.Order",
                "-cp",
                folder.resolve("classes"));
        refuses(
                "com.Order is no class that can be loaded (java.lang.ClassFormatError",
                "data",
                "query",
                folder,
                "com.Order",
                "-cp",
                folder.resolve("classes"));
    }
}
