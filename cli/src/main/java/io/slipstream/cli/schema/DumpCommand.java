package io.slipstream.cli.schema;

import io.slipstream.data.DecodeException;
import io.slipstream.data.dump.Dump;
import io.slipstream.data.dump.DumpText;
import io.slipstream.data.schema.Definitions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code slipstream schema dump}. */
@Command(
        name = "dump",
        mixinStandardHelpOptions = true,
        description = "Explains a file of encoded values, one behind the other: offset, bytes, field, value. "
                + "Exit code 1 at the first damage.")
final class DumpCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "SCHEMA", description = "A file, or the name of a class.")
    private String schema;

    @Parameters(index = "1", paramLabel = "FILE", description = "The encoded values.")
    private Path file;

    @Option(names = "--from", paramLabel = "OFFSET", description = "Where the first value begins.")
    private long from;

    @Mixin
    private SchemaSource source;

    @SuppressWarnings("NullAway.Init")
    DumpCommand() {}

    @Override
    public Integer call() throws IOException {
        Definitions definitions = source.read(schema);
        try (FileChannel channel = FileChannel.open(file);
                Arena arena = Arena.ofConfined()) {
            MemorySegment memory = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            long at = from;
            while (at < memory.byteSize()) {
                int most = (int) Math.min(Integer.MAX_VALUE, memory.byteSize() - at);
                System.out.println("value at " + at);
                at += dump(definitions, memory, at, most);
            }
            return 0;
        } catch (DecodeException e) {
            System.out.println("damaged: " + e.getMessage());
            return 1;
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
