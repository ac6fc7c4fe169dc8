package io.slipstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.data.annotation.Scale;
import io.slipstream.data.list.HugeList;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Takes a list out of its files while its owner has it open. */
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
            assertThat(run("data", "export", list.toString(), type, "--json", "--out", file.toString()))
                    .isZero();
            assertThat(Files.readString(file))
                    .isEqualTo("{\"id\":1,\"price\":12345678901234567.10,\"symbol\":\"EUR\"}\n");
        }
    }

    @Test
    void saysWhatIsMissing() {
        assertThat(run("data", "export", folder.toString(), "com.acme.Nothing")).isEqualTo(1);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("com.acme.Nothing")
                .contains("--class-path");
    }
}
