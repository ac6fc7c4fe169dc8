package io.slipstream.replica;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.replica.backup.BackupConfig;
import io.slipstream.replica.backup.BackupSite;
import io.slipstream.replica.primary.JournalPush;
import io.slipstream.replica.primary.PushConfig;
import io.slipstream.replica.primary.PushLevel;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.testkit.ChildJvm;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One of two sites in a process of its own, to be killed: {@code primary folder port backup} or {@code backup ...}. */
final class SiteProcess {
    private static final String READY = "ready";

    private SiteProcess() {}

    /** Serves until it is killed or fenced. */
    static void main(String[] args) throws Exception {
        Path folder = Path.of(args[1]);
        int port = Integer.parseInt(args[2]);
        ServiceConfig config = ServiceConfig.in(folder)
                .withAddress(local(args[0].equals("backup") ? 0 : port))
                .withMaxResponseTime(Duration.ofSeconds(60))
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 17));
        try {
            if (args[0].equals("backup")) {
                try (BackupSite site =
                        BackupSite.start(config, BackupConfig.of(local(port), PairOfSites.TOKEN), new Marks())) {
                    System.out.println(READY);
                    site.promoted().join();
                    Thread.currentThread().join();
                }
            }
            JournalPush push =
                    new JournalPush(PushConfig.of(folder, local(Integer.parseInt(args[3])), PairOfSites.TOKEN)
                            .withLevel(PushLevel.BACKUP)
                            .withStartAlone(args.length > 4));
            try (Service service = Service.start(config.withLogGate(push), new Marks())) {
                System.out.println(READY);
                service.ended().join();
            }
        } catch (IOException | RuntimeException e) {
            System.out.println(e);
            System.exit(3);
        }
    }

    private static InetSocketAddress local(int port) {
        return new InetSocketAddress("127.0.0.1", port);
    }

    /** Starts a site, which says {@code ready} or why it does not start. */
    static Process start(Object... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                ChildJvm.classPath(),
                SiteProcess.class.getName()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Starts a site, and waits until it is ready. */
    static Process ready(Object... arguments) throws IOException {
        Process process = start(arguments);
        String said = process.inputReader().readLine();
        if (!READY.equals(said)) {
            throw new IOException("the site did not start; it said " + said);
        }
        return process;
    }
}
