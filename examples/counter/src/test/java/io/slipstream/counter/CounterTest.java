package io.slipstream.counter;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class CounterTest {
    @TempDir
    Path folder;

    @Test
    void goesOnCountingWhenItIsRunAgain() throws Exception {
        assertThat(run()).isEqualTo("command number 1");
        assertThat(run()).isEqualTo("command number 2");
        assertThat(run()).isEqualTo("command number 3");
    }

    @Test
    void isTheProgramOfTheReadme() throws Exception {
        String readme = Files.readString(Path.of("..", "..", "README.md"));
        String source = Files.readString(Path.of("src", "main", "java", "io", "slipstream", "counter", "Counter.java"));
        assertThat(readme).contains("```java\n" + source.substring(source.indexOf("import")) + "```");
    }

    private String run() throws Exception {
        PrintStream console = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            System.setOut(stream);
            Counter.main(new String[]{folder.toString()});
        } finally {
            System.setOut(console);
        }
        return printed.toString(StandardCharsets.UTF_8).strip();
    }
}
