package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static io.slipstream.service.LedgerMachine.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.ChildJvm;
import java.io.BufferedReader;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service in a small heap to which many clients are connected that say nothing. */
class SmallHeapTest {
    private static final int IDLE = 2_000;

    @TempDir
    Path directory;

    @Test
    void answersAndEndsBesideTwoThousandIdleConnections() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        ChildJvm.classPath(),
                        SmallHeapTest.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<Socket> idle = new ArrayList<>();
        try (BufferedReader said = process.inputReader()) {
            int port = Integer.parseInt(said.readLine());
            try (ServiceClient client = TestClients.connect(port)) {
                for (int i = 1; i <= IDLE; i++) {
                    Socket socket = new Socket("127.0.0.1", port);
                    idle.add(socket);
                    RawFrames.send(socket, RawFrames.hello(i));
                    if (i % 100 == 0) {
                        assertThat(value(Await.done(client.send(payload(7))).payload()))
                                .isEqualTo(i / 100);
                    }
                }
                assertThat(client.status().sessions()).isEqualTo(IDLE + 1);
            }
            process.toHandle().destroy();
            Await.exitCode(process);
            assertThat(said.readLine()).isEqualTo("closed");
        } finally {
            process.destroyForcibly();
            for (Socket socket : idle) {
                socket.close();
            }
        }
    }

    /** Serves until it is told to stop. */
    static void main(String[] args) throws Exception {
        ServiceConfig config = ServiceConfig.in(Path.of(args[0]))
                .withLimits(
                        limits -> limits.withClients(IDLE + 1, IDLE + 1, 4096).withRings(1 << 20, 1 << 20))
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20))
                .withMaxResponseTime(Duration.ofSeconds(60));
        Service service = Service.start(config, new LedgerMachine());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            service.close();
            System.out.println("closed");
        }));
        System.out.println(service.port());
        service.ended().join();
    }
}
