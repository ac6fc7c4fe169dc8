package io.slipstream.cli.keyvalue;

import io.slipstream.cli.console.Usage;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code slipstream import-aof}: gives the commands of a Redis' append-only file to a store that runs. */
@Command(
        name = "import-aof",
        mixinStandardHelpOptions = true,
        description = {
            "Brings the data of a Redis into a key-value store that runs.",
            "FILE is an append-only file, an RDB file, or the folder 'appendonlydir' in which Redis 7 keeps its own."
        })
public final class ImportAof implements Callable<Integer> {
    private static final int MOST_SHOWN = 10;
    private static final int BUFFER_BYTES = 1 << 16;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The file, or the folder.")
    private Path source;

    @Option(names = "--host", paramLabel = "HOST", defaultValue = "127.0.0.1", description = "Where the store runs.")
    private String host;

    @Option(names = "--port", paramLabel = "P", defaultValue = "6379", description = "Its port for Redis clients.")
    private int port;

    /** Creates the command; picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    public ImportAof() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        Usage.range(spec, "--port", port, 1, 65_535);
        PrintWriter out = spec.commandLine().getOut();
        List<Path> files = AofFile.list(source);
        try (Socket socket = new Socket(host, port)) {
            AofReplies replies = new AofReplies(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
            AtomicReference<IOException> failure = new AtomicReference<>();
            Thread reader = Thread.ofPlatform().daemon().name("replies").start(() -> {
                try {
                    replies.readAll();
                } catch (IOException e) {
                    failure.set(e);
                }
            });
            long sent = 0;
            OutputStream to = new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES);
            for (Path file : files) {
                sent += send(file, to, out);
            }
            // The store answers it last, and closes the connection.
            to.write("QUIT\r\n".getBytes(StandardCharsets.US_ASCII));
            to.flush();
            reader.join();
            IOException broken = failure.get();
            if (replies.count() <= sent) {
                throw new IOException(
                        "the store answered " + replies.count() + " of " + sent
                                + " commands; what it has not answered may be missing",
                        broken);
            }
            replies.errors().forEach(error -> out.println("refused: " + error));
            out.printf("%,d commands were applied, and %,d refused.%n", sent - replies.refused(), replies.refused());
            return replies.refused() == 0 ? 0 : 1;
        }
    }

    private static long send(Path file, OutputStream to, PrintWriter out) throws IOException {
        long sent = 0;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES)) {
            AofFile commands = new AofFile(file, in);
            while (commands.next()) {
                commands.writeTo(to);
                sent++;
            }
        } catch (EOFException e) {
            out.println("The last command of " + file + " is cut off, as a crash leaves it; it is left out.");
        }
        return sent;
    }

    /** Counts what the store answers. */
    private static final class AofReplies {
        private final InputStream in;
        private final List<String> errors = new ArrayList<>();
        private long count;
        private long refused;

        AofReplies(InputStream in) {
            this.in = in;
        }

        void readAll() throws IOException {
            while (true) {
                String line = line();
                if (line.isEmpty()) {
                    return;
                }
                skip(line);
                count++;
            }
        }

        private void skip(String line) throws IOException {
            switch (line.charAt(0)) {
                case '-' -> {
                    refused++;
                    if (errors.size() < MOST_SHOWN) {
                        errors.add(line.substring(1));
                    }
                }
                case '$' -> {
                    int length = Integer.parseInt(line.substring(1));
                    if (length >= 0) {
                        in.skipNBytes(length + 2L);
                    }
                }
                case '*' -> {
                    for (int left = Integer.parseInt(line.substring(1)); left > 0; left--) {
                        skip(line());
                    }
                }
                default -> {
                    // A number or a word.
                }
            }
        }

        private String line() throws IOException {
            StringBuilder line = new StringBuilder();
            for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
                if (b != '\r') {
                    line.append((char) b);
                }
            }
            return line.toString();
        }

        long count() {
            return count;
        }

        long refused() {
            return refused;
        }

        List<String> errors() {
            return errors;
        }
    }
}
