package io.slipstream.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.service.testing.TestService;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShopTest {
    @TempDir
    Path folder;

    @Test
    void goesOnWhereItWasWhenItIsRunAgain() throws Exception {
        assertThat(run()).isEqualTo("apples left: 7");
        assertThat(run()).isEqualTo("apples left: 4");
        TestService.assertReplays(folder, Shop.STOCK::machine);
    }

    @Test
    void isTheProgramOfTheGuide() throws Exception {
        String source = Files.readString(Path.of("src", "main", "java", "io", "slipstream", "grid", "Shop.java"));
        String guide = Files.readString(Path.of("..", "..", "docs", "grid.md"));
        assertThat(guide).contains("```java\n" + source.substring(source.indexOf("class Shop")) + "```");
    }

    private String run() throws Exception {
        PrintStream console = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            System.setOut(stream);
            Shop.main(new String[] {folder.toString()});
        } finally {
            System.setOut(console);
        }
        return printed.toString(StandardCharsets.UTF_8).strip();
    }
}
