package io.slipstream.cli.schema;

import io.slipstream.cli.console.Usage;
import io.slipstream.data.DecodeException;
import io.slipstream.data.container.ContainerFileReader;
import io.slipstream.data.dump.Dump;
import io.slipstream.data.dump.DumpText;
import io.slipstream.data.schema.Definitions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code slipstream schema dump}. */
@Command(
        name = "dump",
        mixinStandardHelpOptions = true,
        description = "Explains a file of encoded values, one behind the other, or a container file: offset, bytes, "
                + "field, value. Exit code 1 at the first damage.")
final class DumpCommand implements Callable<Integer> {
    @Parameters(
            index = "0",
            paramLabel = "SCHEMA",
            description = "A file, or the name of a class; or the container file, which has its own.")
    private String schema;

    @Parameters(
            index = "1",
            paramLabel = "FILE",
            arity = "0..1",
            description = "The encoded values; left away for a container file.")
    private @Nullable Path file;

    @Option(names = "--from", paramLabel = "OFFSET", description = "Where the first value begins.")
    private long from;

    @Mixin
    private SchemaSource source;

    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init")
    DumpCommand() {}

    @Override
    public Integer call() throws IOException {
        Usage.atLeast(spec, "--from", from, 0);
        try {
            if (file != null) {
                dumpValues(file);
            } else if (ContainerFileReader.isContainerFile(Path.of(schema))) {
                dumpContainer(Path.of(schema));
            } else {
                throw Usage.wrong(
                        spec, "name FILE, too: " + schema + " is no container file, which has its own schema");
            }
            return 0;
        } catch (DecodeException e) {
            System.out.println("damaged: " + e.getMessage());
            return 1;
        }
    }

    private void dumpValues(Path values) throws IOException {
        if (ContainerFileReader.isContainerFile(values)) {
            throw new IOException(values + " is a container file, which has its own schema; leave SCHEMA away");
        }
        Definitions definitions = source.read(schema);
        if (Files.isDirectory(values)) {
            throw new IOException(values + " is a folder; name a file in it");
        }
        try (FileChannel channel = FileChannel.open(values);
                Arena arena = Arena.ofConfined()) {
            MemorySegment memory = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            if (from >= memory.byteSize()) {
                throw new IOException(values + " has " + memory.byteSize() + " bytes, so no value is at byte " + from);
            }
            long at = from;
            while (at < memory.byteSize()) {
                int most = (int) Math.min(Integer.MAX_VALUE, memory.byteSize() - at);
                System.out.println("value at " + at);
                at += dump(definitions, memory, at, most);
            }
        }
    }

    private void dumpContainer(Path container) throws IOException {
        try (ContainerFileReader<MemorySegment> in = ContainerFileReader.openBytes(container)) {
            while (in.next()) {
                if (in.position() < from) {
                    continue;
                }
                System.out.println("value at " + in.position());
                int end = dump(in.definitions(), in.memory(), in.offset(), in.length());
                if (end != in.length()) {
                    throw new DecodeException("value", end, "ends there, but there are " + in.length() + " bytes");
                }
            }
            if (!in.isComplete()) {
                System.out.println("the writer has not closed the file: it was killed, or is still writing"
                        + (in.tornBytes() == 0
                                ? ""
                                : "; a block is not whole, of which " + in.tornBytes() + " bytes are there"));
            }
        }
    }

    private static int dump(Definitions definitions, MemorySegment memory, long at, int most) {
        DumpText text = new DumpText(memory, at, System.out::print);
        try {
            return new Dump(definitions, text).value(memory, at, most);
        } finally {
            text.end();
        }
    }
}
