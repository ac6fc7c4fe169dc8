package io.slipstream.cli.keyvalue;

import io.slipstream.cli.console.Usage;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.keyvalue.KeyValueMachine;
import io.slipstream.keyvalue.resp.RedisProtocol;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;

/** {@code slipstream serve keyvalue}. */
@Command(name = "keyvalue", mixinStandardHelpOptions = true,
        description = "Runs a durable key-value store for Redis clients until it is stopped (Ctrl-C or SIGTERM).")
public final class ServeKeyValue implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--dir", required = true, paramLabel = "DIR",
            description = "Folder of the journal; made if missing.")
    private Path directory;

    @Option(names = "--port", paramLabel = "P", defaultValue = "6379",
            description = "Port to listen on; 0 for any free one.")
    private int port;

    @Option(names = "--host", paramLabel = "HOST", defaultValue = "127.0.0.1", description = "Address to listen on.")
    private String host;

    @Option(names = "--level", paramLabel = "LEVEL", defaultValue = "SYNC",
            description = "How durable an answered command is: ${COMPLETION-CANDIDATES}.")
    private Durability level;

    /** Creates the command; picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    public ServeKeyValue() {
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Usage.range(spec, "--port", port, 0, 65_535);
        PrintWriter out = spec.commandLine().getOut();
        RedisProtocol redis = new RedisProtocol();
        ServiceConfig config = ServiceConfig.in(directory).withAddress(new InetSocketAddress("127.0.0.1", 0))
                .withProtocol(redis, new InetSocketAddress(host, port)).withJournal(JournalConfig.at(level));
        try (Service service = Service.start(config, KeyValueMachine::new)) {
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("stop").unstarted(service::close));
            out.printf("Serving keys and values on %s:%d at level %s; Ctrl-C stops it.%n", host,
                    service.port(redis), level);
            out.flush();
            service.ended().get();
            return 0;
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException("the key-value store has stopped: " + cause.getMessage(), cause);
        }
    }
}
