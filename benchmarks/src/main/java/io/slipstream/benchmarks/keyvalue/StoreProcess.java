package io.slipstream.benchmarks.keyvalue;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.keyvalue.KeyValueStore;
import io.slipstream.keyvalue.resp.RespProtocol;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.snapshot.SnapshotPolicy;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Our store in a process of its own, with the settings that {@code slipstream serve keyvalue} has. */
final class StoreProcess {
    /* Keys and strings are outside the heap. */
    private static final String HEAP = "-Xmx512m";

    private StoreProcess() {}

    /** Serves until it is killed: {@code StoreProcess folder port}. */
    static void main(String[] args) throws Exception {
        RespProtocol resp = new RespProtocol();
        try (Service service = Service.start(
                config(Path.of(args[0]), Durability.PROCESS)
                        .withProtocol(resp, new InetSocketAddress("127.0.0.1", Integer.parseInt(args[1]))),
                KeyValueStore::new)) {
            service.ended().join();
        }
    }

    static ServiceConfig config(Path folder, Durability level) {
        return ServiceConfig.in(folder)
                .withAddress(new InetSocketAddress("127.0.0.1", 0))
                .withJournal(JournalConfig.at(level))
                .withLimits(limits -> limits.withMaxFrameLength(1 << 19))
                .withMaxResponseTime(Duration.ofSeconds(10))
                .withSnapshots(SnapshotPolicy.everyLogBytes(1L << 30));
    }

    static ProcessBuilder command(Path folder, int port) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new ProcessBuilder(List.of(
                java,
                HEAP,
                "-cp",
                classPath(),
                StoreProcess.class.getName(),
                folder.toString(),
                Integer.toString(port)));
    }

    /** Returns the class path of this process, by absolute names. */
    private static String classPath() {
        StringBuilder path = new StringBuilder();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            path.append(path.isEmpty() ? "" : File.pathSeparator)
                    .append(Path.of(entry).toAbsolutePath());
        }
        return path.toString();
    }

    /** Returns how many bytes of memory a process takes, once that has been the same within 1 % for 15 seconds. */
    static long residentBytesAtRest(Process process) throws IOException {
        long bytes = residentBytes(process);
        for (int seconds = 0; seconds < 15; seconds++) {
            LockSupport.parkNanos(1_000_000_000);
            long now = residentBytes(process);
            if (Math.abs(now - bytes) > bytes / 100) {
                seconds = 0;
                bytes = now;
            }
        }
        return bytes;
    }

    /** Returns how many bytes of memory a process takes, as the system counts them. */
    private static long residentBytes(Process process) throws IOException {
        Process ps = new ProcessBuilder("ps", "-o", "rss=", "-p", Long.toString(process.pid())).start();
        try (var out = ps.inputReader()) {
            return Long.parseLong(out.readLine().strip()) * 1024;
        }
    }
}
