package io.slipstream.keyvalue;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.keyvalue.resp.RespProtocol;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.testing.TestService;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that wait or listen when the store ends are not there any more when it starts again. */
@Timeout(600)
class DeadClientsTest {
    private static final RespProtocol RESP = new RespProtocol();

    @TempDir
    Path folder;

    @Test
    void getNothingAfterAKillNorAfterAnOrderlyEnd() throws Exception {
        Path stopped = folder.resolve("stopped");
        Path killed = folder.resolve("killed");
        Service service = Service.start(config(stopped), KeyValueStore::new);
        try (RespClient waiter = connect(service);
                RespClient listener = connect(service);
                RespClient other = connect(service)) {
            assertThat(waiter.call("SET", "a", "1")).isEqualTo("+OK");
            long before = service.accepted();
            waiter.write("BLPOP", "q", "0");
            waiter.flush();
            while (service.accepted() == before) {
                Thread.onSpinWait();
            }
            listener.call("SUBSCRIBE", "news");
            assertThat(other.call("PUBLISH", "news", "hello")).isEqualTo(1L);
            copy(stopped, killed);
            // In order, while all are connected.
            service.close();
        }
        for (Path left : List.of(stopped, killed)) {
            try (Service again = Service.start(config(left), KeyValueStore::new);
                    RespClient client = connect(again)) {
                assertThat(client.call("RPUSH", "q", "a")).isEqualTo(1L);
                assertThat(client.call("LLEN", "q"))
                        .as("the element in " + left)
                        .isEqualTo(1L);
                assertThat(client.call("PUBLISH", "news", "hello")).isEqualTo(0L);
            }
            TestService.assertReplays(left, KeyValueStore::new);
        }
    }

    private static RespClient connect(Service service) throws IOException {
        return new RespClient(new Socket("127.0.0.1", service.port(RESP)));
    }

    private static ServiceConfig config(Path directory) {
        return ServiceConfig.in(directory)
                .withProtocol(RESP, new InetSocketAddress("127.0.0.1", 0))
                .withMaxResponseTime(Await.RESPONSE)
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20));
    }

    /** What a process leaves that is killed now. */
    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        List<Path> files;
        try (Stream<Path> all = Files.list(from)) {
            files = all.toList();
        }
        for (Path file : files) {
            Files.copy(file, to.resolve(file.getFileName()));
        }
    }
}
