package io.slipstream.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.ChildJvm;
import java.io.BufferedReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No memory is left on a thread of the service: the process ends, and does not live on without answers. */
class OutOfMemoryTest {
    @TempDir
    Path directory;

    /** Where the memory goes. */
    enum Where {
        GATEWAY,
        LOGIC
    }

    @ParameterizedTest
    @CsvSource({"GATEWAY, THREE", "LOGIC, THREE", "LOGIC, TWO", "LOGIC, ONE"})
    void endsTheProcessAndSaysWhy(Where where, Threading threading) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        ChildJvm.classPath(),
                        OutOfMemoryTest.class.getName(),
                        directory.toString(),
                        where.name(),
                        threading.name())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader said = process.inputReader()) {
            int port = Integer.parseInt(said.readLine());
            try (Socket socket = new Socket("127.0.0.1", port)) {
                socket.getOutputStream().write("1\n".getBytes(StandardCharsets.UTF_8));
                assertThat(said.readLine()).isEqualTo("ended by java.lang.OutOfMemoryError: Java heap space");
                assertThat(Await.exitCode(process)).isEqualTo(1);
            }
        } finally {
            process.destroyForcibly();
        }
    }

    private static final List<byte[]> HOARD = new ArrayList<>();

    private static void hoard() {
        while (true) {
            HOARD.add(new byte[256]);
        }
    }

    /** Serves until there is no memory. */
    static void main(String[] args) throws Exception {
        Where where = Where.valueOf(args[1]);
        LineProtocol lines = new LineProtocol(where == Where.GATEWAY ? OutOfMemoryTest::hoard : () -> {});
        ServiceConfig config = ServiceConfig.in(Path.of(args[0]))
                .withProtocol(lines, new InetSocketAddress("127.0.0.1", 0))
                .withEvents(ServiceEvents.ignored())
                .withThreading(Threading.valueOf(args[2]))
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20))
                .withLimits(limits -> limits.withRings(1 << 20, 1 << 20))
                .withMaxResponseTime(Await.RESPONSE);
        Service service = Service.start(config, new StateMachine() {
            @Override
            public void onCommand(Request command, Output output) {
                hoard();
            }

            @Override
            public long stateHash() {
                return 0;
            }
        });
        System.out.println(service.port(lines));
        try {
            service.ended().join();
        } catch (CompletionException e) {
            HOARD.clear();
            System.out.println("ended by " + e.getCause());
            System.exit(1);
        }
    }
}
