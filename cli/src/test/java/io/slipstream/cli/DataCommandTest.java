package io.slipstream.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slipstream.data.annotation.Optional;
import io.slipstream.data.annotation.Scale;
import io.slipstream.data.list.HugeList;
import io.slipstream.data.list.HugeListBuilder;
import io.slipstream.data.list.ListArrow;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Lists made of files, asked, and taken out of their files while their owner has them open. */
class DataCommandTest {
    record Trade(long id, @Scale(2) BigDecimal price, String symbol) {}

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private int run(String... arguments) {
        CommandLine line = Main.commandLine();
        PrintWriter writer = new PrintWriter(out, true, StandardCharsets.UTF_8);
        line.setOut(writer);
        line.setErr(writer);
        return line.execute(arguments);
    }

    @Test
    void exportsWhatTheLastCommitHas() throws IOException {
        Path list = folder.resolve("list");
        Path file = folder.resolve("out");
        String type = Trade.class.getName();
        try (HugeList<Trade> trades = HugeList.builder(Trade.class).create(list)) {
            trades.add(new Trade(1, new BigDecimal("12345678901234567.10"), "EUR"));
            trades.commit();
            trades.add(new Trade(2, BigDecimal.ONE.setScale(2), "USD"));
            assertThat(run("data", "export", list.toString(), type, "--out", file.toString()))
                    .isZero();
            assertThat(Files.readString(file)).isEqualTo("id,price,symbol\r\n1,12345678901234567.10,EUR\r\n");
            assertThat(run("data", "export", list.toString(), type, "--json", "--out", file.toString(), "--replace"))
                    .isZero();
            assertThat(Files.readString(file))
                    .isEqualTo("{\"id\":1,\"price\":12345678901234567.10,\"symbol\":\"EUR\"}\n");
        }
    }

    /** The last one is a device that is full. */
    @ParameterizedTest
    @CsvSource({"csv, true", "arrow, true", "csv, false", "json, false", "arrow, false", "arrows, false"})
    void namesTheFileThatCannotBeWrittenAndNotTheOneBesideIt(String format, boolean isFolderMissing)
            throws IOException {
        Path list = folder.resolve("list");
        try (HugeList<Trade> trades = HugeList.builder(Trade.class).create(list)) {
            trades.add(new Trade(1, BigDecimal.ONE.setScale(2), "EUR"));
            trades.commit();
        }
        Path file = isFolderMissing ? folder.resolve("missing/out") : folder.resolve("out");
        if (!isFolderMissing) {
            assumeTrue(Files.exists(Path.of("/dev/full")), "there is no device that is full here");
            Files.createSymbolicLink(folder.resolve("out.part"), Path.of("/dev/full"));
        }
        String type = Trade.class.getName();
        assertThat(run("data", "export", list.toString(), type, "--format", format, "--out", file.toString()))
                .isEqualTo(1);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("cannot write " + file + ": ")
                .contains(
                        isFolderMissing
                                ? "there is no folder " + file.getParent() + "; create it"
                                : "No space left on device. Make room")
                .doesNotContain(".part");
        assertThat(folder.resolve("out.part")).doesNotExist();
    }

    @Test
    void exportsArrow() throws IOException {
        Path list = folder.resolve("list");
        String[] file = {"data", "export", list.toString(), Trade.class.getName(), "--format", "arrow", "--out", ""};
        String[] stream = file.clone();
        file[7] = folder.resolve("out.arrow").toString();
        stream[5] = "arrows";
        stream[7] = folder.resolve("out.arrows").toString();
        ByteArrayOutputStream asFile = new ByteArrayOutputStream();
        ByteArrayOutputStream asStream = new ByteArrayOutputStream();
        try (HugeList<Trade> trades = HugeList.builder(Trade.class).create(list)) {
            trades.add(new Trade(1, new BigDecimal("12345678901234567.10"), "EUR"));
            trades.commit();
            ListArrow.writeFile(trades, asFile);
            ListArrow.writeStream(trades, asStream);
        }
        assertThat(run(file)).as(out.toString(StandardCharsets.UTF_8)).isZero();
        assertThat(run(stream)).as(out.toString(StandardCharsets.UTF_8)).isZero();
        assertThat(folder.resolve("out.arrow")).hasBinaryContent(asFile.toByteArray());
        assertThat(folder.resolve("out.arrows")).hasBinaryContent(asStream.toByteArray());
    }

    @Test
    void readsNoFolder() {
        String list = folder.resolve("list").toString();
        assertThat(run("data", "import", list, Trade.class.getName(), folder.toString()))
                .isEqualTo(1);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains(folder + " is a folder; name a file in it");
    }

    @Test
    void leavesAFileThatIsThere() throws IOException {
        Path list = folder.resolve("list");
        try (HugeList<Trade> trades = HugeList.builder(Trade.class).create(list)) {
            trades.add(new Trade(1, BigDecimal.ONE.setScale(2), "EUR"));
            trades.commit();
        }
        Path file = Files.writeString(folder.resolve("out"), "mine");
        String[] export = {"data", "export", list.toString(), Trade.class.getName(), "--out", file.toString(), ""};
        String[] toTheFolder = export.clone();
        toTheFolder[5] = folder.toString();
        toTheFolder[6] = "--replace";
        export[6] = "--format=arrow";
        assertThat(run(export)).isEqualTo(1);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("out is there already; --replace replaces it");
        assertThat(run(toTheFolder)).isEqualTo(1);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains(folder + " is a folder; name a file in it");
        export[6] = "--replace";
        Path block;
        try (Stream<Path> files = Files.list(list)) {
            block = files.filter(path -> path.getFileName().toString().startsWith("block"))
                    .findFirst()
                    .orElseThrow();
        }
        byte[] whole = Files.readAllBytes(block);
        byte[] damaged = whole.clone();
        damaged[64]++;
        Files.write(block, damaged);
        assertThat(run(export)).isEqualTo(1);
        assertThat(file).hasContent("mine");
        Files.write(block, whole);
        assertThat(run(export)).isZero();
        assertThat(Files.readString(file)).isEqualTo("id,price,symbol\r\n1,1.00,EUR\r\n");
        assertThat(folder.resolve("out.part")).doesNotExist();
        assertThat(run("data", "export", list.toString(), Trade.class.getName(), "--json", "--format", "arrow"))
                .isEqualTo(2);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("--json and another --format exclude each other");
    }

    enum Side {
        BUY,
        SELL
    }

    record Leg(int ratio) {}

    record Fill(
            long id,
            @Scale(2) BigDecimal price,
            String symbol,
            Side side,
            double weight,
            @Nullable Boolean own,
            Instant at,
            @Optional @Nullable Leg leg) {}

    private static final String FILLS = """
        id,price,symbol,side,weight,own,at,leg.ratio
        1,10.00,EUR,BUY,0.5,true,2026-01-01T00:00:00Z,
        2,12.50,USD,SELL,1.5,,2026-01-02T00:00:00Z,3
        3,7.25,EUR,SELL,2.5,false,2026-01-03T00:00:00Z,-1
        4,10.10,,BUY,-1.0,true,2026-01-04T00:00:00Z,
        """.replace("\n", "\r\n");

    private Path fills() throws IOException {
        Path list = folder.resolve("fills");
        Path csv = Files.writeString(folder.resolve("fills.csv"), FILLS.replace(",,BUY", ",\"\",BUY"));
        assertThat(run("data", "import", list.toString(), Fill.class.getName(), csv.toString()))
                .as(out.toString(StandardCharsets.UTF_8))
                .isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("Added 4 elements; the list has 4.");
        return list;
    }

    /** Returns what a query writes, with the lines ended as in Java. */
    private String query(Path list, String... more) {
        PrintStream before = System.out;
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        System.setOut(new PrintStream(written, true, StandardCharsets.UTF_8));
        try {
            int code = run(
                    Stream.concat(Stream.of("data", "query", list.toString(), Fill.class.getName()), Stream.of(more))
                            .toArray(String[]::new));
            assertThat(code).as(out.toString(StandardCharsets.UTF_8)).isZero();
        } finally {
            System.setOut(before);
        }
        return written.toString(StandardCharsets.UTF_8).replace("\r\n", "\n");
    }

    /** Returns the ids of the elements that a query finds. */
    private List<String> ids(Path list, String... more) {
        return query(list, more)
                .lines()
                .skip(1)
                .map(line -> line.substring(0, line.indexOf(',')))
                .toList();
    }

    @Test
    void importsWhatItExports() throws IOException {
        Path list = fills();
        Path json = folder.resolve("fills.json");
        assertThat(run("data", "export", list.toString(), Fill.class.getName(), "--json", "--out", json.toString()))
                .isZero();
        Path again = folder.resolve("again");
        String[] importing = {"data", "import", again.toString(), Fill.class.getName(), json.toString(), "--json"};
        assertThat(run(importing)).as(out.toString(StandardCharsets.UTF_8)).isZero();
        assertThat(query(again)).isEqualTo(query(list)).contains("4,10.10,\"\",BUY,-1.0,true,");
        assertThat(run(importing)).isEqualTo(1);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("is there already");
        String[] appending = Arrays.copyOf(importing, importing.length + 1);
        appending[importing.length] = "--append";
        assertThat(run(appending)).as(out.toString(StandardCharsets.UTF_8)).isZero();
        assertThat(query(again, "--count")).isEqualTo("count\n8\n");
    }

    @Test
    void importsByRowsAndKeepsAListAsItIs() throws IOException {
        Path list = fills();
        String type = Fill.class.getName();
        String csv = folder.resolve("out.csv").toString();
        assertThat(run("data", "export", list.toString(), type, "--out", csv)).isZero();
        String again = folder.resolve("again").toString();
        assertThat(run("data", "import", again, type, csv, "--by-rows", "--identity", "id"))
                .as(out.toString(StandardCharsets.UTF_8))
                .isZero();
        assertThat(query(Path.of(again))).isEqualTo(query(list));
        assertThat(run("data", "import", list.toString(), type, csv, "--by-rows", "--append"))
                .isEqualTo(1);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("keeps its elements by columns");
        assertThat(query(list, "--count")).isEqualTo("count\n4\n");
    }

    @Test
    void sealsAListWhoseElementsStayAsTheyAre() throws IOException {
        Path list = folder.resolve("sealed");
        HugeListBuilder<Fill> builder =
                HugeList.builder(Fill.class).identity("id").rowsPerBlock(64);
        try (HugeList<Fill> fills = builder.create(list)) {
            for (int i = 0; i < 200; i++) {
                BigDecimal price = BigDecimal.valueOf(1_000 + i, 2);
                fills.add(new Fill(i, price, "S" + i % 3, Side.BUY, i, i % 2 == 0, Instant.EPOCH, null));
            }
            fills.commit();
        }
        String before = query(list);
        assertThat(run("data", "seal", list.toString(), Fill.class.getName()))
                .as(out.toString(StandardCharsets.UTF_8))
                .isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("Sealed 3 blocks");
        assertThat(query(list)).isEqualTo(before);
        assertThat(run("data", "seal", list.toString(), Fill.class.getName())).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("Sealed 0 blocks");
        try (HugeList<Fill> fills = builder.open(list)) {
            assertThat(fills.rowOf(150)).isEqualTo(150);
        }
    }

    @ParameterizedTest
    @CsvSource({"arrow, out.arrow, ", "arrows, out.arrows, ", "arrow, out, arrow"})
    void importsTheArrowThatItExports(String format, String name, @Nullable String as) throws IOException {
        Path list = fills();
        Path file = folder.resolve(name);
        String type = Fill.class.getName();
        assertThat(run("data", "export", list.toString(), type, "--format", format, "--out", file.toString()))
                .isZero();
        Path again = folder.resolve("again");
        String[] importing = {"data", "import", again.toString(), type, file.toString()};
        String[] named = Stream.concat(Stream.of(importing), Stream.of("--format", "arrow"))
                .toArray(String[]::new);
        assertThat(run(as == null ? importing : named))
                .as(out.toString(StandardCharsets.UTF_8))
                .isZero();
        assertThat(query(again)).isEqualTo(query(list)).contains("4,10.10,\"\",BUY,-1.0,true,");
        String trades = folder.resolve("trades").toString();
        assertThat(run("data", "import", trades, Trade.class.getName(), file.toString(), "--format", "arrow"))
                .isEqualTo(1);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("there is a column 'side', but Trade has [");
        assertThat(folder.resolve("trades")).doesNotExist();
    }

    @Test
    void refusesTwoFormats() {
        assertThat(run("data", "import", "x", Trade.class.getName(), "y", "--json", "--format", "arrow"))
                .isEqualTo(2);
    }

    @Test
    void anImportThatFailsLeavesNothingBehind() throws IOException {
        Path list = folder.resolve("list");
        Path csv = Files.writeString(folder.resolve("bad.csv"), FILLS + "5,1.005,EUR,BUY,1,,2026-01-04T00:00:00Z,\r\n");
        assertThat(run("data", "import", list.toString(), Fill.class.getName(), csv.toString()))
                .isEqualTo(1);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("record 6, price");
        assertThat(list).doesNotExist();
        Path fills = fills();
        assertThat(run("data", "import", "--append", fills.toString(), Fill.class.getName(), csv.toString()))
                .isEqualTo(1);
        assertThat(query(fills, "--count")).isEqualTo("count\n4\n");
    }

    @Test
    void findsElements() throws IOException {
        Path list = fills();
        assertThat(ids(list)).containsExactly("1", "2", "3", "4");
        assertThat(ids(list, "--where", "price=10")).containsExactly("1");
        assertThat(ids(list, "--where", "price=10..12.5")).containsExactly("1", "2", "4");
        assertThat(ids(list, "--where", "price=..10", "--where", "side=BUY")).containsExactly("1");
        assertThat(ids(list, "--where", "symbol=EUR")).containsExactly("1", "3");
        assertThat(ids(list, "--where", "symbol=")).containsExactly("4");
        assertThat(ids(list, "--where", "weight=1..")).containsExactly("2", "3");
        assertThat(ids(list, "--where", "own=false")).containsExactly("3");
        assertThat(ids(list, "--where", "own=true")).containsExactly("1", "4");
        assertThat(ids(list, "--where", "at=2026-01-02T00:00:00Z..2026-01-03T00:00:00Z"))
                .containsExactly("2", "3");
        assertThat(ids(list, "--where", "leg.ratio=-5..5")).containsExactly("2", "3");
        assertThat(ids(list, "--sort", "price", "--limit", "2")).containsExactly("3", "1");
        assertThat(ids(list, "--sort", "weight", "--descending")).containsExactly("3", "2", "1", "4");
        assertThat(ids(list, "--sort", "symbol")).containsExactly("4", "1", "3", "2");
        assertThat(query(list, "--where", "id=2", "--json"))
                .startsWith("{\"id\":2,\"price\":12.50,")
                .hasLineCount(1);
    }

    @Test
    void countsAndAdds() throws IOException {
        Path list = fills();
        assertThat(query(list, "--count", "--sum", "price,weight", "--min", "at", "--max", "leg.ratio"))
                .isEqualTo("count,sum(price),sum(weight),min(at),max(leg.ratio)\n4,39.85,3.5,2026-01-01T00:00:00Z,3\n");
        assertThat(query(list, "--where", "id=9", "--count", "--sum", "price")).isEqualTo("count,sum(price)\n0,\n");
        assertThat(query(list, "--group", "symbol", "--count", "--sum", "price"))
                .isEqualTo("symbol,count,sum(price)\n\"\",1,10.10\nEUR,2,17.25\nUSD,1,12.50\n");
        assertThat(query(list, "--group", "symbol", "--max", "price", "--sort", "max(price)", "--descending"))
                .isEqualTo("symbol,max(price)\nUSD,12.50\n\"\",10.10\nEUR,10.00\n");
        assertThat(query(list, "--group", "side", "--count", "--where", "price=8..", "--limit", "1"))
                .isEqualTo("side,count\nBUY,2\n");
        assertThat(query(list, "--group", "own", "--count")).isEqualTo("own,count\nfalse,1\ntrue,2\n");
    }

    @Test
    void saysWhyItCannotAnswer() throws IOException {
        String list = fills().toString();
        Map.of(
                        "--where=price=1.005", "price is never '1.005'",
                        "--where=side=HOLD", "side is one of [BUY, SELL]",
                        "--where=price", "FIELD=VALUE",
                        "--sum=symbol", "there is no sum of symbol",
                        "--sum=nothing", "has no field nothing",
                        "--group=weight", "weight has fractions",
                        "--sort=leg", "leg is a record")
                .forEach((option, why) -> {
                    out.reset();
                    assertThat(run("data", "query", list, Fill.class.getName(), option))
                            .isEqualTo(1);
                    assertThat(out.toString(StandardCharsets.UTF_8)).contains(why);
                });
    }

    @Test
    void saysWhatIsMissing() {
        assertThat(run("data", "export", folder.toString(), "com.acme.Nothing")).isEqualTo(1);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("com.acme.Nothing")
                .contains("--class-path");
    }
}
