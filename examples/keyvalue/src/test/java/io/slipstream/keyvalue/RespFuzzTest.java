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
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Talks nonsense to the store, while a witness talks sense: the witness gets every answer, and what it keeps stays.
 * {@code -Dkeyvalue.fuzz=100000} makes it long, and {@code -Dkeyvalue.seed=N} another one.
 */
@Timeout(3600)
class RespFuzzTest {
    private static final int CONNECTIONS = Integer.getInteger("keyvalue.fuzz", 150);
    private static final long SEED = Long.getLong("keyvalue.seed", 1);
    private static final List<String> HOSTILE = List.of(
            "*2147483647\r\n",
            "*99999999999999999999\r\n",
            "*-1\r\n",
            "*-2147483648\r\n",
            "*1048576\r\n$1\r\nx\r\n",
            "*1\r\n$2147483647\r\n",
            "*1\r\n$-1\r\n",
            "*1\r\n$9999999999\r\n",
            "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n",
            "*1\r\n:1\r\n",
            "*0\r\n",
            "\r\n\r\n",
            "SET \"a b\r\n",
            "SET 'x\r\n",
            "\"\\x",
            "$5\r\nhello\r\n",
            "*3\r\n$3\r\nGET",
            "HELLO 99\r\n",
            "HELLO 3 AUTH\r\n",
            "MULTI\r\nMULTI\r\nEXEC\r\nEXEC\r\n",
            "CLIENT KILL\r\n",
            "CLIENT KILL ID x\r\n",
            "CONFIG SET maxmemory 99999999999999999999\r\n",
            "BLPOP k nan\r\n",
            "SETRANGE k 99999999999 x\r\n",
            "SCAN 18446744073709551615 COUNT 9223372036854775807\r\n",
            "SRANDMEMBER k -9223372036854775808\r\n",
            "LPOS k x RANK -9223372036854775808\r\n",
            "EXPIRE k 9223372036854775807\r\n",
            "HRANDFIELD k -9223372036854775808 WITHVALUES\r\n",
            "ZRANGE k -9223372036854775808 9223372036854775807\r\n",
            "GETRANGE k -9223372036854775808 9223372036854775807\r\n",
            "SPOP k 9223372036854775807\r\n",
            "KEYS [[[[[[[[[[\r\n",
            "KEYS ************a\r\n",
            "OBJECT\r\n",
            "COMMAND INFO\r\n",
            "PUBSUB\r\n");

    @TempDir
    Path folder;

    private final Random random = new Random(SEED);

    @Test
    void noBytesHurtAnybodyElse() throws Exception {
        RespProtocol protocol = new RespProtocol();
        try (Service service = Service.start(
                ServiceConfig.in(folder)
                        .withAddress(new InetSocketAddress("127.0.0.1", 0))
                        .withProtocol(protocol, new InetSocketAddress("127.0.0.1", 0))
                        .withMaxResponseTime(Await.RESPONSE)
                        .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 24)),
                KeyValueStore::new)) {
            InetSocketAddress address = new InetSocketAddress("127.0.0.1", service.port(protocol));
            try (RespClient witness = new RespClient(new Socket(address.getAddress(), address.getPort()))) {
                // The last database: the others swap what they hold.
                witness.call("SELECT", "15");
                for (int i = 0; i < CONNECTIONS; i++) {
                    attack(address);
                    assertThat(witness.call("INCR", "witness"))
                            .as("seed %s, connection %s", SEED, i)
                            .isEqualTo(i + 1L);
                }
                assertThat(witness.call("GET", "witness")).isEqualTo(Integer.toString(CONNECTIONS));
            }
        }
        TestService.assertReplays(folder, KeyValueStore::new);
    }

    private void attack(InetSocketAddress address) throws IOException {
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            for (int left = 1 + random.nextInt(8); left > 0; left--) {
                socket.getOutputStream().write(bytes());
            }
            if (random.nextBoolean()) {
                socket.shutdownOutput();
                socket.setSoTimeout(1);
                socket.getInputStream().read(new byte[4096]);
            }
        } catch (IOException e) {
            // The store has hung up, or has nothing to say.
        }
    }

    private byte[] bytes() {
        byte[] bytes = switch (random.nextInt(4)) {
            case 0 -> {
                byte[] noise = new byte[random.nextInt(400)];
                random.nextBytes(noise);
                yield noise;
            }
            case 1 -> HOSTILE.get(random.nextInt(HOSTILE.size())).getBytes(StandardCharsets.ISO_8859_1);
            default -> command();
        };
        if (bytes.length > 0 && random.nextInt(3) == 0) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return random.nextInt(5) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)) : bytes;
    }

    /** A command of its grammar, on keys that are not the witness'. */
    private byte[] command() {
        String[] words = new RandomCommands(random).next();
        StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
            text.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
        }
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
