package io.slipstream.cli.keyvalue;

import io.slipstream.cli.console.ClientOptions;
import io.slipstream.cli.console.Usage;
import io.slipstream.service.security.Tls;
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
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
            "FILE is an append-only file, an RDB file, or the folder 'appendonlydir' in which Redis 7 keeps its own.",
            "All of it is read first, and what the store cannot hold is named; then the rest is written."
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

    @Option(names = "--replace", description = "Removes all keys that the store has before.")
    private boolean replaces;

    @Mixin
    private ClientOptions client;

    /** Creates the command; picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    public ImportAof() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        Usage.range(spec, "--port", port, 1, 65_535);
        PrintWriter out = spec.commandLine().getOut();
        List<Path> files = AofFile.list(source);
        try (Socket socket = connect()) {
            OutputStream to = new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES);
            RespReplies replies = new RespReplies(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
            logIn(to, replies);
            long keys = keys(ask(to, replies, "INFO", "keyspace"));
            if (keys > 0 && !replaces) {
                throw new IOException("the store has " + keys + " keys already, and what is brought in twice is there "
                        + "twice; use an empty store, or --replace, which removes them first");
            }
            AofCheck check = new AofCheck(Integer.parseInt(ask(to, replies, "CONFIG", "GET", "proto-max-bulk-len")));
            for (Path file : files) {
                out.print(check.read(file));
            }
            check.tell(out);
            out.flush();
            if (replaces) {
                ask(to, replies, "FLUSHALL");
            } else {
                // The store is empty: this changes nothing, and whoever may not write is told so before the first key.
                ask(to, replies, "DEL", "import-aof");
            }
            return send(files, check, to, replies, out);
        }
    }

    /** Returns how many keys there are, by a line for each database. */
    private static long keys(String keyspace) {
        return Pattern.compile(":keys=(\\d+)")
                .matcher(keyspace)
                .results()
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .sum();
    }

    private Socket connect() throws IOException {
        Tls tls = client.tls();
        Socket socket = new Socket(host, port);
        return tls == null ? socket : tls.over(socket, host);
    }

    private void logIn(OutputStream to, RespReplies replies) throws IOException {
        String secret = client.secret();
        if (secret != null) {
            ask(to, replies, "AUTH", secret);
        }
    }

    /** Returns the last word of the answer. */
    private static String ask(OutputStream to, RespReplies replies, String... words) throws IOException {
        AofFile.write(
                Stream.of(words)
                        .map(word -> word.getBytes(StandardCharsets.UTF_8))
                        .toList(),
                to);
        to.flush();
        String answer = replies.next();
        if (answer == null) {
            throw new EOFException("the store has closed the connection instead of answering " + words[0]
                    + "; does it speak TLS (--tls)?");
        }
        if (answer.startsWith("-")) {
            throw new IOException("the store answers " + words[0] + " with: " + answer.substring(1) + way(answer));
        }
        return answer;
    }

    /** Returns which option leads on behind this answer. */
    private static String way(String answer) {
        if (answer.startsWith("-NOPERM")) {
            return "; nothing was written (--token)";
        }
        return answer.startsWith("-NOAUTH") ? " (--token)" : answer.contains("TLS") ? " (--tls)" : "";
    }

    private static int send(List<Path> files, AofCheck check, OutputStream to, RespReplies replies, PrintWriter out)
            throws IOException, InterruptedException {
        Queue<String> asked = new ConcurrentLinkedQueue<>();
        AtomicLong applied = new AtomicLong();
        List<String> refused = Collections.synchronizedList(new ArrayList<>());
        AtomicReference<@Nullable IOException> failure = new AtomicReference<>();
        Thread reader = Thread.ofPlatform().daemon().name("replies").start(() -> {
            try {
                for (String answer = replies.next(); answer != null; answer = replies.next()) {
                    String what = asked.remove();
                    if (answer.startsWith("-")) {
                        refused.add(what + ": " + answer.substring(1));
                    } else {
                        applied.incrementAndGet();
                    }
                }
            } catch (IOException e) {
                failure.set(e);
            }
        });
        long sent = 0;
        try {
            for (Path file : files) {
                sent += send(file, check, to, asked);
            }
            // The store answers it last, and closes the connection.
            asked.add("QUIT");
            AofFile.write(List.of("QUIT".getBytes(StandardCharsets.US_ASCII)), to);
            to.flush();
        } catch (IOException e) {
            failure.compareAndSet(null, e);
        }
        reader.join();
        if (applied.get() + refused.size() <= sent) {
            throw new IOException(
                    "the store answered " + (applied.get() + refused.size()) + " of " + sent
                            + " commands; what it has not answered may be missing, from " + asked.peek() + " on",
                    failure.get());
        }
        refused.stream().limit(MOST_SHOWN).forEach(error -> out.println("refused: " + error));
        out.printf(Locale.ROOT, "%,d commands were applied, and %,d refused.%n", sent - refused.size(), refused.size());
        return refused.isEmpty() && check.isComplete() ? 0 : 1;
    }

    private static long send(Path file, AofCheck check, OutputStream to, Queue<String> asked) throws IOException {
        long sent = 0;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES)) {
            AofFile commands = new AofFile(file, in);
            while (commands.next()) {
                if (check.problem(commands.words()) == null) {
                    asked.add(AofCheck.name(commands.words()));
                    AofFile.write(commands.words(), to);
                    sent++;
                }
            }
        } catch (EOFException e) {
            // The check has said so.
        }
        return sent;
    }
}
