package io.slipstream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The help of all commands is in one style. */
class HelpTest {
    private final List<CommandLine> commands = new ArrayList<>();

    HelpTest() {
        add(Main.commandLine());
    }

    private void add(CommandLine command) {
        commands.add(command);
        command.getSubcommands().forEach((name, subcommand) -> {
            if (!name.equals("help")) {
                add(subcommand);
            }
        });
    }

    @Test
    void describesCommandsAndOptionsInSentences() {
        assertThat(commands).hasSizeGreaterThan(20);
        for (CommandLine command : commands) {
            CommandSpec spec = command.getCommandSpec();
            assertSentences(spec.qualifiedName(), spec.usageMessage().description());
            for (ArgSpec option : spec.args()) {
                if (!option.hidden()) {
                    assertSentences(spec.qualifiedName() + " " + option.paramLabel(), option.description());
                }
            }
        }
    }

    @Test
    void tellsTheVersionAndTheDefaultsEverywhere() {
        for (CommandLine command : commands) {
            assertThat(command.getCommandSpec().version()).containsExactly(Main.VERSION);
            assertThat(command.getUsageMessage())
                    .doesNotContainIgnoringCase("(default")
                    .doesNotContain("${");
        }
        assertThat(command("top").getUsageMessage()).containsPattern("Default: 1000\\R");
        assertThat(command("serve exchange").getUsageMessage()).containsPattern("Default: SYNC\\R");
    }

    /** Of a number that must be given, the 0 that its field begins with is none. */
    @Test
    void tellsNoDefaultWhereThereIsNone() {
        for (CommandLine command : commands) {
            assertThat(command.getUsageMessage()).doesNotContainPattern("Default: *\\R");
            for (PositionalParamSpec argument : command.getCommandSpec().positionalParameters()) {
                assertThat(argument.required() && argument.initialValue() != null)
                        .as("%s has a default", argument.paramLabel())
                        .isFalse();
            }
        }
    }

    @Test
    void listsTheImportantOptionsFirst() {
        assertThat(command("serve exchange").getUsageMessage())
                .containsSubsequence("--dir=DIR  ", "--port=P  ", "--cost=US  ");
        assertThat(command("jitter").getUsageMessage()).containsSubsequence("--seconds=S  ", "--cpus=LIST  ");
    }

    private CommandLine command(String name) {
        return commands.stream()
                .filter(command -> command.getCommandSpec().qualifiedName().equals("slipstream " + name))
                .findFirst()
                .orElseThrow();
    }

    private static void assertSentences(String of, String... lines) {
        assertThat(lines)
                .as(of)
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).matches("\\p{Lu}.*\\."));
    }
}
