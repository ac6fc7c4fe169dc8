package io.slipstream.benchmarks.ipc;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.service.client.ReplyHandler;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A command to a service at level PROCESS in another process, one in flight: through shared memory, beside TCP on
 * loopback. The median in nanoseconds. The next command is sent by the client's thread out of the answer to the one
 * before.
 */
final class ServiceContest implements Contest {
    private static final int BYTES = 64;

    private final int commands;
    private final Path folder;
    private final Process service;
    private final Pong overMemory;
    private final Pong overTcp;

    ServiceContest(boolean spins, int commands) throws IOException {
        this.commands = commands;
        this.folder = Files.createTempDirectory(Path.of("/dev/shm"), "slipstream-bench-");
        this.service = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-cp",
                        absoluteClassPath(),
                        ServiceProcess.class.getName(),
                        folder.toString(),
                        "" + spins)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader said = service.inputReader();
        String ready = said.readLine();
        if (ready == null) {
            throw new IOException("the service did not start");
        }
        int port = Integer.parseInt(ready.split(" ")[1]);
        this.overMemory = new Pong(ServiceClient.builder(folder.resolve("s.ipc")), spins);
        this.overTcp = new Pong(ServiceClient.builder("127.0.0.1", port), spins);
    }

    private static String absoluteClassPath() {
        return String.join(
                File.pathSeparator,
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                        .map(entry -> Path.of(entry).toAbsolutePath().toString())
                        .toList());
    }

    @Override
    public double ours() throws Exception {
        return overMemory.run(commands);
    }

    @Override
    public double peer() throws Exception {
        return overTcp.run(commands);
    }

    @Override
    public void close() throws IOException {
        service.getOutputStream().close();
        service.destroyForcibly().onExit().join();
        List<Path> all;
        try (Stream<Path> files = Files.walk(folder)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : all) {
            Files.deleteIfExists(file);
        }
    }

    /** One client, which is there only while it is measured: one that spins would take the other one's processor. */
    private static final class Pong implements ReplyHandler {
        private final ServiceClient.Builder settings;
        private final MemorySegment command = MemorySegment.ofArray(new long[BYTES / Long.BYTES]);
        private long[] nanos = new long[0];
        private volatile ServiceClient client;
        private volatile int answered;
        private long sentAt;

        @SuppressWarnings("NullAway.Init")
        Pong(ServiceClient.Builder settings, boolean spins) {
            this.settings = settings.waiting(ServiceProcess.waiting(spins)).handler(this);
        }

        double run(int count) throws IOException, InterruptedException {
            nanos = new long[count];
            answered = 0;
            client = settings.connect();
            try {
                send();
                while (answered < count) {
                    TimeUnit.MILLISECONDS.sleep(1);
                }
            } finally {
                client.close();
            }
            Arrays.sort(nanos);
            return nanos[count / 2];
        }

        private void send() {
            sentAt = System.nanoTime();
            if (!client.offer(command, 0, BYTES, 0)) {
                throw new IllegalStateException("there is no room for one command");
            }
        }

        @Override
        public void onReply(long attachment, long sequence, MemorySegment memory, long offset, int length) {
            int number = answered;
            nanos[number] = System.nanoTime() - sentAt;
            boolean goesOn = number + 1 < nanos.length;
            answered = number + 1;
            if (goesOn) {
                send();
            }
        }

        @Override
        public void onFailure(long attachment, ServiceException failure) {
            throw failure;
        }

        @Override
        public void onBusy(long attachment, long retryAfterNanos) {
            throw new IllegalStateException("busy");
        }
    }
}
