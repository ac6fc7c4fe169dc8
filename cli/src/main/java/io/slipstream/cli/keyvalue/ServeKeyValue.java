package io.slipstream.cli.keyvalue;

import io.slipstream.cli.cluster.MemberOptions;
import io.slipstream.cli.console.AccessOptions;
import io.slipstream.cli.console.Ended;
import io.slipstream.cli.console.LogOptions;
import io.slipstream.cli.console.PushOptions;
import io.slipstream.cli.console.Usage;
import io.slipstream.cli.service.FreePort;
import io.slipstream.cli.service.HttpOptions;
import io.slipstream.cli.service.MemoryOptions;
import io.slipstream.cli.service.ProcessCounters;
import io.slipstream.cli.service.Recovered;
import io.slipstream.cli.service.ResponseOptions;
import io.slipstream.cli.service.SnapshotOptions;
import io.slipstream.cli.service.StopSignal;
import io.slipstream.cli.service.ThreadOptions;
import io.slipstream.core.counters.Counters;
import io.slipstream.http.HttpGateway;
import io.slipstream.journal.config.Durability;
import io.slipstream.keyvalue.KeyValueStore;
import io.slipstream.keyvalue.resp.RespProtocol;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.snapshot.SnapshotPolicy;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code slipstream serve keyvalue}. */
@Command(
        name = "keyvalue",
        mixinStandardHelpOptions = true,
        description = "Serves a durable key-value store that Redis clients talk to.")
public final class ServeKeyValue implements Callable<Integer> {
    /** Longest message, its header included, that the store takes. */
    static final int MAX_COMMAND_BYTES = 1 << 19;

    /** What a command may have besides its longest value. */
    static final int FRAME_OVERHEAD = 1 << 16;

    private static final int LARGEST_RING = 1 << 28;
    private static final int MAX_MEGABYTES = 64;

    /** A long value is on the heap more than once while it is taken in, told, or loaded, and others are beside it. */
    private static final int HEAP_OF_VALUES = 16;

    private static final int DEFAULT_UNREAD_MEGABYTES = 64;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--dir",
            required = true,
            paramLabel = "DIR",
            description = "Folder of the journal and the snapshots; made if missing.")
    private Path directory;

    @Option(
            names = "--port",
            paramLabel = "P",
            defaultValue = "6379",
            description = "Port for Redis clients; 0 for any free one.")
    private int port;

    @Option(
            names = "--native-port",
            paramLabel = "P",
            defaultValue = "0",
            description = "Port for the native protocol; 0 for any free one.")
    private int nativePort;

    @Option(names = "--host", paramLabel = "HOST", defaultValue = "127.0.0.1", description = "Address to listen on.")
    private String host;

    @Option(names = "--connections", paramLabel = "N", defaultValue = "1000", description = "Most clients at a time.")
    private int connections;

    @Option(
            names = "--max-unread",
            paramLabel = "MB",
            defaultValue = "" + DEFAULT_UNREAD_MEGABYTES,
            description = "Megabytes that a client may leave unread before it is disconnected. One that asks for more "
                    + "than it reads waits before.")
    private int unreadMegabytes;

    @Mixin
    private ResponseOptions response;

    @Mixin
    private ThreadOptions threads;

    @Option(
            names = "--max-value",
            paramLabel = "MB",
            description = "Megabytes that a string may have: 1, 2, 4, 8, 16, 32 or 64; a quarter of one if not given. "
                    + "Not together with a backup site or a cluster.")
    private @Nullable Integer maxValueMegabytes;

    @Mixin
    private SnapshotOptions snapshots;

    @Mixin
    private LogOptions log;

    @Mixin
    private AccessOptions access;

    @Mixin
    private PushOptions push;

    @Mixin
    private MemberOptions cluster;

    @Mixin
    private HttpOptions http;

    @Mixin
    private MemoryOptions memory;

    /** Creates the command; picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    public ServeKeyValue() {}

    /**
     * Returns the settings of a store in that folder that belong to its state, so that its backup needs them, too.
     *
     * @param connections clients at a time
     */
    public static ServiceConfig config(Path directory, int connections) {
        return ServiceConfig.in(directory)
                .withLimits(limits -> limits.withMaxFrameLength(MAX_COMMAND_BYTES)
                        .withClients(connections, 2 * connections, 1 << 16)
                        .withMaxUnreadBytes(DEFAULT_UNREAD_MEGABYTES << 20))
                .withMaxResponseTime(Duration.ofSeconds(10));
    }

    /** Returns a configuration for long values, or says why this process cannot have them, before it has written. */
    private ServiceConfig withValues(ServiceConfig config, int megabytes) {
        boolean isSize = megabytes > 0 && megabytes <= MAX_MEGABYTES && Integer.bitCount(megabytes) == 1;
        Usage.require(spec, isSize, "--max-value", "1, 2, 4, 8, 16, 32 or 64", megabytes);
        if (cluster.isMember() || push.isGiven()) {
            throw Usage.wrong(
                    spec,
                    "--max-value and " + (cluster.isMember() ? "--cluster" : "--backup")
                            + " exclude each other: frames that long are sent to no other machine");
        }
        long heapMegabytes = Runtime.getRuntime().maxMemory() >> 20;
        if (heapMegabytes < HEAP_OF_VALUES * (long) megabytes) {
            throw Usage.wrong(
                    spec,
                    "--max-value " + megabytes + " needs a heap of " + HEAP_OF_VALUES * megabytes
                            + " MB, and this process has " + heapMegabytes + ": set SLIPSTREAM_JAVA_OPTIONS=-Xmx"
                            + HEAP_OF_VALUES * megabytes + "m, or more");
        }
        int value = megabytes << 20;
        int ring = Math.max(config.limits().inputRingBytes(), Math.min(8 * value, LARGEST_RING));
        return config.withJournal(config.journal()
                        .withSegmentBytes(Math.max(config.journal().segmentBytes(), 2 * value)))
                .withLimits(limits ->
                        limits.withRings(ring, limits.outputRingBytes()).withMaxFrameLength(value + FRAME_OVERHEAD));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Usage.range(spec, "--port", port, 0, 65_535);
        Usage.range(spec, "--native-port", nativePort, 0, 65_535);
        Usage.range(spec, "--connections", connections, 1, 100_000);
        Usage.range(spec, "--max-unread", unreadMegabytes, 4, 256);
        SnapshotPolicy policy = snapshots.policy(spec);
        response.check(spec);
        if (!cluster.isMember()) {
            threads.check(spec);
        }
        http.check(spec, access);
        PrintWriter out = spec.commandLine().getOut();
        RespProtocol resp = new RespProtocol();
        ServiceConfig config = memory.applyTo(access.applyTo(config(directory, connections)
                .withAddress(new InetSocketAddress(host, nativePort))
                .withProtocol(resp, new InetSocketAddress(host, port))
                .withJournal(log.journal(spec, directory))
                .withLimits(limits -> limits.withMaxUnreadBytes(unreadMegabytes << 20))
                .withSnapshots(policy)));
        if (maxValueMegabytes != null) {
            config = withValues(config, maxValueMegabytes);
        }
        config = threads.applyTo(response.applyTo(config));
        if (cluster.isGiven(spec, "--native-port")) {
            return cluster.serve(
                    spec,
                    "keys and values",
                    config,
                    log.level() == Durability.SYNC,
                    KeyValueStore::new,
                    http,
                    KeyValueApi.create());
        }
        push.check(spec, directory);
        FreePort.require(host, port);
        FreePort.require(host, nativePort);
        try (Counters counters = ProcessCounters.create(out);
                HttpGateway gateway = http.listen(KeyValueApi.create(), counters, out)) {
            long startNanos = System.nanoTime();
            try (Service service = Service.start(
                    HttpOptions.reporting(push.applyTo(config, counters), gateway),
                    () -> new KeyValueStore(resp.slowLog()),
                    counters)) {
                long recoveryNanos = System.nanoTime() - startNanos;
                http.connect(gateway, service, host, memory);
                StopSignal stop = HttpOptions.stopInOrder(service, gateway, counters, out);
                Recovered.tell(out, service.recovery(), recoveryNanos);
                memory.tell(out);
                out.printf(
                        Locale.ROOT,
                        "Serving keys and values on %s:%d at level %s; Ctrl-C stops it.%n",
                        host,
                        service.port(resp),
                        log.level());
                out.flush();
                service.ended().get();
                stop.finished();
                return 0;
            }
        } catch (ExecutionException e) {
            throw Ended.by("the store", e);
        }
    }
}
