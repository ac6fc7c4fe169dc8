package io.slipstream.keyvalue;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.keyvalue.resp.RedisProtocol;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.testing.TestService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class KeyValueServiceTest {
    @TempDir
    Path folder;

    private final RedisProtocol protocol = new RedisProtocol();

    private Service start() throws IOException {
        return Service.start(ServiceConfig.in(folder).withAddress(new InetSocketAddress("127.0.0.1", 0))
                .withProtocol(protocol, new InetSocketAddress("127.0.0.1", 0))
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 22)), KeyValueMachine::new);
    }

    /** Sends lines in one go, and expects exactly these bytes as answers. */
    private void say(Service service, String lines, String answers) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", service.port(protocol))) {
            socket.getOutputStream().write(lines.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8));
            byte[] expected = answers.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
            assertThat(new String(socket.getInputStream().readNBytes(expected.length), StandardCharsets.UTF_8))
                    .isEqualTo(new String(expected, StandardCharsets.UTF_8));
        }
    }

    @Test
    void answersInTheOrderOfTheRequests() throws Exception {
        try (Service service = start()) {
            say(service, "SET a 1\nPING\nGET a\nINCRBY a 41\nNONSENSE x\nGET a b\nGET none\nAPPEND a 0\n",
                    """
                    +OK
                    +PONG
                    $1
                    1
                    :42
                    -ERR unknown command 'NONSENSE', with args beginning with: 'x'\s
                    -ERR wrong number of arguments for 'get' command
                    $-1
                    :3
                    """);
            say(service, "*3\n$3\nSET\n$1\nb\n$3\nx y\n*2\n$3\nGET\n$1\nb\n", "+OK\n$3\nx y\n");
            say(service, "HELLO 3\nGET none\n", "%7\n$6\nserver\n$5\nredis\n$7\nversion\n$6\n7.0.15\n$5\nproto\n:3\n");
        }
    }

    @Test
    void setsOnlyUnderItsConditions() throws Exception {
        try (Service service = start()) {
            say(service, "SET a 1 XX\nSET a 1 NX\nSET a 2 NX GET\nSET a 2 EX 0\nSET a 2 FOO\nGET a\nMSETNX a 1 c 2\n"
                            + "EXISTS a c\nSET a 5 EX 100\nSET a 6 KEEPTTL\nTTL a\nPERSIST a\nTTL a\nDEL a\nTTL a\n",
                    """
                    $-1
                    +OK
                    $1
                    1
                    -ERR invalid expire time in 'set' command
                    -ERR syntax error
                    $1
                    1
                    :0
                    :1
                    +OK
                    +OK
                    :100
                    :1
                    :-1
                    :1
                    :-2
                    """);
        }
    }

    @Test
    void forgetsAKeyOnceItsTimeHasCome() throws Exception {
        try (Service service = start()) {
            say(service, "SET a 1 PX 20\nSET b 1 PX 20\nPERSIST b\n", "+OK\n+OK\n:1\n");
            while (true) {
                try (Socket socket = new Socket("127.0.0.1", service.port(protocol))) {
                    socket.getOutputStream().write("DBSIZE\r\n".getBytes(StandardCharsets.UTF_8));
                    if (socket.getInputStream().readNBytes(4)[1] == '1') {
                        break;
                    }
                }
            }
            say(service, "GET a\nGET b\n", "$-1\n$1\n1\n");
        }
        TestService.assertReplays(folder, KeyValueMachine::new);
    }

    @Test
    void goesOnFromASnapshotAndFromTheLog() throws Exception {
        StringBuilder sets = new StringBuilder();
        for (int i = 0; i < 5_000; i++) {
            sets.append("SET key").append(i).append(" value").append(i).append('\n');
        }
        try (Service service = start()) {
            say(service, sets.toString(), "+OK\n".repeat(5_000));
            service.snapshot().get(30, TimeUnit.SECONDS);
            say(service, "DEL key7\nSET key8 other EX 1000\n", ":1\n+OK\n");
        }
        try (Service service = start()) {
            say(service, "DBSIZE\nGET key7\nGET key8\nGET key4999\n", ":4999\n$-1\n$5\nother\n$9\nvalue4999\n");
        }
        TestService.assertReplays(folder, KeyValueMachine::new);
    }
}
