package io.slipstream.service;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.snapshot.SnapshotPolicy;
import io.slipstream.testkit.ChildJvm;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A service that is killed: {@code KillTarget directory port level [feed | snapshots | gateways]}. */
final class KillTarget {
    private KillTarget() {}

    /** Serves until it is killed. */
    static void main(String[] args) throws Exception {
        boolean byMemory = args[1].endsWith(".ipc");
        ServiceConfig at = byMemory
                ? ServiceConfig.in(Path.of(args[0])).withSharedMemory(Path.of(args[1]))
                : ServiceConfig.in(Path.of(args[0]))
                        .withAddress(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[1])));
        ServiceConfig config = at.withJournal(
                        JournalConfig.at(Durability.valueOf(args[2])).withSegmentBytes(1 << 18))
                .withMaxResponseTime(Duration.ofSeconds(60));
        String kind = args.length > 3 ? args[3] : "";
        if (kind.equals("gateways")) {
            config = config.withThreading(Threading.THREE).withGatewayThreads(3);
        }
        // As often as it can, so that it is killed while it takes them.
        try (Service service = kind.equals("snapshots")
                ? Service.start(
                        config.withSnapshots(
                                SnapshotPolicy.everyLogBytes(1 << 12).withLogKept(Duration.ZERO)),
                        LedgerMachine::new)
                : Service.start(config, kind.equals("feed") ? new FeedMachine() : new LedgerMachine())) {
            System.out.println("ready");
            service.ended().join();
        }
    }

    /** Starts a process that serves, and waits until it does. */
    static Process start(Path directory, int port, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(directory.toString(), Integer.toString(port)));
        arguments.addAll(List.of(more));
        return start(KillTarget.class, arguments);
    }

    /** Starts a main class of the tests in a process of its own, and waits until it says that it is ready. */
    static Process start(Class<?> main, List<String> arguments) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(List.of(
                java,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                ChildJvm.classPath(),
                main.getName()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = process.inputReader().readLine();
        if (!"ready".equals(said)) {
            throw new IOException("the service did not start; it said " + said);
        }
        return process;
    }
}
