package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.ChildJvm;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A state machine that keeps more than there is memory ends its service, which says why. */
class FullHeapTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource(Threading.class)
    void endsTheServiceWithTheReason(Threading threading) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx32m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        ChildJvm.classPath(),
                        FullHeapTest.class.getName(),
                        directory.toString(),
                        threading.name())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said = process.inputReader();
                ServiceClient client = TestClients.builder(Integer.parseInt(said.readLine()))
                        .reconnectTimeout(Duration.ZERO)
                        .connect()) {
            sendUntilItEnds(client);
            assertThat(said.readLine()).isEqualTo("ended by java.lang.OutOfMemoryError: Java heap space");
            assertThat(Await.exitCode(process)).isEqualTo(1);
        } finally {
            process.destroyForcibly();
        }
    }

    private static void sendUntilItEnds(ServiceClient client) throws Exception {
        try {
            while (true) {
                Await.done(client.send(payload(1)));
            }
        } catch (ServiceException | ExecutionException e) {
            // It has.
        }
    }

    /** Serves until it has ended. */
    static void main(String[] args) throws Exception {
        ServiceConfig config = ServiceConfig.in(Path.of(args[0]))
                .withThreading(Threading.valueOf(args[1]))
                .withLimits(limits -> limits.withClients(4, 4, 4096).withRings(1 << 20, 1 << 20))
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20))
                .withMaxResponseTime(Await.RESPONSE);
        Service service = Service.start(config, new Keeping());
        System.out.println(service.port());
        try {
            service.ended().join();
        } catch (CompletionException e) {
            System.out.println("ended by " + e.getCause());
            System.exit(1);
        }
    }

    /** Keeps small things, so that nothing is left for anything. */
    private static final class Keeping implements StateMachine {
        private Object[] last = {};
        private long kept;

        @Override
        public void onCommand(Request command, Output output) {
            for (int i = 0; i < 100; i++) {
                last = new Object[] {last};
                kept++;
            }
            output.reply(new byte[8]);
        }

        @Override
        public long stateHash() {
            return kept;
        }
    }
}
