package io.slipstream.service.log;

import io.slipstream.data.evolution.Change;
import io.slipstream.data.evolution.Changes;
import io.slipstream.data.schema.Definition;
import io.slipstream.data.schema.Definitions;
import io.slipstream.data.schema.SchemaException;
import io.slipstream.service.logic.WrongLogException;
import io.slipstream.service.machine.CommandSchema;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.protocol.SchemaFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the commands of a log look like, by the {@link SchemaFile} beside it. A machine that would misread them is
 * refused before it applies any.
 *
 * <p>The definitions are compared in full. The fingerprint in the header of a command cannot do that: it has sixteen
 * bits, leaves out the constants of enums, and is unknown for a version that the reader does not have.
 */
public final class LogSchema {
    private final Path folder;
    /* What the file is to say while the machine is served; null if the machine does not describe its commands. */
    private final @Nullable String text;

    private LogSchema(Path folder, @Nullable String text) {
        this.folder = folder;
        this.text = text;
    }

    /**
     * Compares the commands of {@code machine} with what the file says. A folder without the file has nothing to
     * compare, and a file that cannot be read is a warning. Nothing is changed.
     *
     * <p>A machine of an earlier version of the same definitions is taken: it skips or rejects what it does not know.
     *
     * @throws WrongLogException if the machine would misread commands; the message says which, and what to do
     */
    public static LogSchema require(Path folder, StateMachine machine, Consumer<String> onWarning) {
        if (!(machine instanceof CommandSchema described)) {
            return new LogSchema(folder, null);
        }
        String own = described.commandSchema();
        try {
            String former = SchemaFile.read(folder);
            return new LogSchema(folder, former == null || former.isBlank() ? own : later(folder, former, own));
        } catch (IOException | SchemaException e) {
            onWarning.accept("the commands of the log are not compared with those of the machine: "
                    + folder.resolve(SchemaFile.NAME) + ": " + e.getMessage());
            return new LogSchema(folder, own);
        }
    }

    /** Returns the one of the two texts that describes the commands of both. */
    private static String later(Path folder, String former, String own) {
        Definitions before = Definitions.parse(former);
        Definitions now = own.isBlank() ? new Definitions(List.of()) : Definitions.parse(own);
        List<Change> breaking = Changes.between(before, now).stream()
                .filter(change -> !change.isAllowed())
                .toList();
        if (breaking.isEmpty()) {
            return own;
        }
        if (!own.isBlank() && Changes.staysReadable(now, before)) {
            return former;
        }
        boolean knowsNone = before.all().stream().allMatch(command -> now.find(command.name()) == null);
        throw new WrongLogException((knowsNone ? strange(folder, before) : misread(folder, breaking))
                + ". If no such command is left in the log, remove " + folder.resolve(SchemaFile.NAME));
    }

    private static String misread(Path folder, List<Change> breaking) {
        return "this machine would misread commands of the log in " + folder + ": "
                + breaking.stream()
                        .map(change -> change.where() + ": " + change.what())
                        .collect(Collectors.joining("; "));
    }

    private static String strange(Path folder, Definitions commands) {
        return "the log in " + folder + " seems to be that of another machine: this one has none of its commands ("
                + commands.all().stream().map(Definition::name).collect(Collectors.joining(", "))
                + "). Give it a folder of its own, or the records that it had before";
    }

    /** Writes the file, unless it says the same; a service does not fail for want of it. */
    public void keep(Consumer<String> onWarning) {
        if (text != null && Files.isDirectory(folder)) {
            try {
                SchemaFile.write(folder, text);
            } catch (IOException e) {
                onWarning.accept("the schema of the commands is not written beside the log: " + e);
            }
        }
    }
}
