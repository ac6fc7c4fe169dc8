package io.slipstream.bank;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.service.testing.TestService;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BankProgramTest {
    @TempDir
    Path folder;

    @Test
    void goesOnWhereItWasWhenItIsRunAgain() throws Exception {
        assertThat(run()).isEqualTo("account 7 has 100");
        assertThat(run()).isEqualTo("account 7 has 200");
        TestService.assertReplays(folder, Bank::new);
    }

    @Test
    void isTheProgramOfTheReadme() throws Exception {
        assertThat(Files.readString(Path.of("..", "..", "README.md"))).contains(listing("main", "Bank", "import"));
    }

    @Test
    void hasTheTestOfTheGuide() throws Exception {
        assertThat(Files.readString(Path.of("..", "..", "docs", "service.md")))
                .contains(listing("test", "BankTest", "package"));
    }

    private static String listing(String folder, String name, String from) throws Exception {
        String source = Files.readString(Path.of("src", folder, "java", "io", "slipstream", "bank", name + ".java"));
        return "```java\n" + source.substring(source.indexOf(from)) + "```";
    }

    private String run() throws Exception {
        PrintStream console = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            System.setOut(stream);
            Bank.main(new String[] {folder.toString()});
        } finally {
            System.setOut(console);
        }
        return printed.toString(StandardCharsets.UTF_8).strip();
    }
}
