package io.slipstream.ticks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.slipstream.data.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TicksTest {
    @TempDir
    Path folder;

    @Test
    void appendsOpensQueriesLooksUpAndExports() throws Exception {
        assertThat(run("--trades", "20000"))
                .contains("appended   20,000", "opened     20,000", "looked up", "exported");
    }

    @Test
    void opensWhatIsThereWhenItIsRunAgain() throws Exception {
        String first = run("--trades", "5000");
        assertThat(run())
                .contains("opened     5,000")
                .doesNotContain("appended")
                .contains(first.lines().filter(line -> line.startsWith("  AAA")).toList());
    }

    @Test
    void exportsTheSameTradesAsCsvAndJson() throws Exception {
        run("--trades", "3000", "--symbol", "CCC");
        List<String> csv = Files.readAllLines(folder.resolve("CCC.csv"));
        List<String> json = Files.readAllLines(folder.resolve("CCC.json"));
        assertThat(csv).hasSize(json.size() + 1).first().isEqualTo("id,time,symbol,side,price,quantity,auction");
        for (int i = 0; i < json.size(); i++) {
            Trade trade = Json.of(Trade.class).read(json.get(i));
            assertThat(csv.get(i + 1))
                    .startsWith(trade.id() + ",2026-11-23T")
                    .contains(",CCC," + trade.side() + ",")
                    .endsWith("," + trade.quantity() + "," + trade.auction());
        }
    }

    @Test
    void saysWhichOptionIsWrong() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.parse("--trades", "many"))
                .withMessageContaining("not 'many'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.parse("--folder"))
                .withMessageContaining("--folder needs a value");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Options.parse("--year"))
                .withMessageContaining("no option '--year'");
    }

    private String run(String... args) throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            new Ticks(Options.parse(args), folder, stream, true).run();
        }
        return printed.toString(StandardCharsets.UTF_8);
    }
}
