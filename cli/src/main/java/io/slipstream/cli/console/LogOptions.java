package io.slipstream.cli.console;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.storage.DeviceSectors;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** How a service writes its log: options of every command that serves. */
public final class LogOptions {
    @Option(
            names = "--level",
            paramLabel = "LEVEL",
            defaultValue = "SYNC",
            description = "How durable an answered command is: ${COMPLETION-CANDIDATES}.")
    private Durability level;

    @Option(
            names = "--block-bytes",
            paramLabel = "BYTES",
            description = "The least that a commit at SYNC takes on disk: 4096, or 512 where the device has sectors "
                    + "of 512 bytes.")
    private @Nullable Integer blockBytes;

    /** Creates the options; picocli fills them in. */
    @SuppressWarnings("NullAway.Init")
    public LogOptions() {}

    /** Returns how durable an answered command is. */
    public Durability level() {
        return level;
    }

    /**
     * Returns how the journal of {@code directory} writes. Blocks that are smaller than what the device writes at once
     * are refused, since a torn write would reach into what was forced before.
     */
    public JournalConfig journal(CommandSpec command, Path directory) {
        return journal(command, directory, DeviceSectors.bytes(directory));
    }

    JournalConfig journal(CommandSpec command, Path directory, OptionalInt sector) {
        JournalConfig config = JournalConfig.at(level);
        PrintWriter out = command.commandLine().getOut();
        Integer bytes = blockBytes;
        if (bytes == null) {
            if (level == Durability.SYNC && sector.orElse(config.blockBytes()) < config.blockBytes()) {
                out.printf(
                        Locale.ROOT,
                        "The device has sectors of %d bytes: with --block-bytes 512 small commits take less room.%n",
                        sector.getAsInt());
            }
            return config;
        }
        JournalConfig changed = Usage.valid(command, () -> config.withBlockBytes(bytes));
        if (sector.isEmpty()) {
            out.printf(
                    Locale.ROOT,
                    "The system does not say how large the sectors of the device are: --block-bytes %d is safe if "
                            + "they are no larger.%n",
                    bytes);
        } else if (sector.getAsInt() > bytes) {
            throw Usage.wrong(
                    command,
                    "--block-bytes " + bytes + " is less than a sector of the device of "
                            + directory + ", which has " + sector.getAsInt()
                            + " bytes: a torn write could damage what was "
                            + "forced before. Leave the option away");
        }
        return changed;
    }
}
