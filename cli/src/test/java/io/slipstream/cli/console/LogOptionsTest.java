package io.slipstream.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.JournalConfig;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class LogOptionsTest {
    private final StringWriter said = new StringWriter();

    @Test
    void takesBlocksOf512BytesWhereTheDeviceHasSuchSectors() {
        assertThat(journal(OptionalInt.of(512), "--block-bytes", "512").blockBytes())
                .isEqualTo(512);
        assertThat(said.toString()).isEmpty();
    }

    @Test
    void refusesBlocksThatAreSmallerThanASector() {
        assertThatThrownBy(() -> journal(OptionalInt.of(4096), "--block-bytes", "512"))
                .isInstanceOf(CommandLine.ParameterException.class)
                .hasMessageContaining("--block-bytes 512 is less than a sector of the device of data")
                .hasMessageContaining("4096 bytes");
    }

    @Test
    void saysWhatItCannotCheck() {
        assertThat(journal(OptionalInt.empty(), "--block-bytes", "512").blockBytes())
                .isEqualTo(512);
        assertThat(said.toString()).contains("does not say how large the sectors");
    }

    @Test
    void saysThatSmallBlocksAreToBeHad() {
        assertThat(journal(OptionalInt.of(512)).blockBytes()).isEqualTo(4096);
        assertThat(said.toString()).contains("with --block-bytes 512 small commits take less room");
    }

    @Test
    void saysNothingOfBlocksWhereTheyWouldSaveNothing() {
        journal(OptionalInt.of(4096));
        journal(OptionalInt.empty());
        journal(OptionalInt.of(512), "--level", "PROCESS");
        assertThat(said.toString()).isEmpty();
    }

    @Test
    void refusesOtherSizes() {
        assertThatThrownBy(() -> journal(OptionalInt.of(512), "--block-bytes", "1000"))
                .isInstanceOf(CommandLine.ParameterException.class)
                .hasMessageContaining("512 or 4096, not 1000");
    }

    private JournalConfig journal(OptionalInt sector, String... arguments) {
        Serve serve = new Serve();
        CommandLine line = new CommandLine(serve).setOut(new PrintWriter(said, true));
        line.parseArgs(arguments);
        return serve.log.journal(line.getCommandSpec(), Path.of("data"), sector);
    }

    @Command(name = "serve")
    static final class Serve {
        @Mixin
        LogOptions log;

        @SuppressWarnings("NullAway.Init")
        Serve() {}
    }
}
