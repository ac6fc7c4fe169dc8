package io.slipstream.keyvalue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.keyvalue.resp.Payloads;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.keyvalue.resp.RespProtocol;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.Threading;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.security.AccessFile;
import io.slipstream.service.security.Tls;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.Certificates;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RespAccessTest {
    @TempDir
    Path folder;

    private final RespProtocol protocol = new RespProtocol();

    private ServiceConfig config() {
        return ServiceConfig.in(folder.resolve("data"))
                .withAddress(new InetSocketAddress("127.0.0.1", 0))
                .withProtocol(protocol, new InetSocketAddress("127.0.0.1", 0))
                .withMaxResponseTime(Await.RESPONSE)
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 22));
    }

    private Service startWithTokens() throws IOException {
        Path access = Files.writeString(
                folder.resolve("access"),
                "alice token " + AccessFile.hash("open sesame") + "\nreader token " + AccessFile.hash("look")
                        + " may query\nlistener token " + AccessFile.hash("listen") + " may subscribe\nwriter token "
                        + AccessFile.hash("write") + " may command\n");
        return Service.start(config().withAuthenticator(new AccessFile(access)), KeyValueStore::new);
    }

    private RespClient client(Service service) throws IOException {
        return new RespClient(new Socket("127.0.0.1", service.port(protocol)));
    }

    @Test
    void servesNobodyWithoutTheToken() throws Exception {
        try (Service service = startWithTokens();
                RespClient alice = client(service);
                RespClient other = client(service);
                RespClient third = client(service)) {
            assertThat(alice.call("SET", "a", "1")).isEqualTo("-NOAUTH Authentication required.");
            assertThat(alice.call("NONSENSE")).isEqualTo("-NOAUTH Authentication required.");
            assertThat(alice.call("AUTH", "a", "b", "c")).isEqualTo("-ERR syntax error");
            assertThat(alice.call("AUTH", "open sesame")).isEqualTo("+OK");
            assertThat(alice.call("SET", "a", "1")).isEqualTo("+OK");
            assertThat((String) alice.call("AUTH", "open sesame")).contains("logged in already");
            assertThat((String) other.call("AUTH", "alice", "wrong")).startsWith("-WRONGPASS ");
            assertThatThrownBy(() -> other.call("PING")).isInstanceOf(IOException.class);
            third.write("AUTH", "alice", "open sesame");
            third.write("GET", "a");
            third.flush();
            assertThat(third.read()).isEqualTo("+OK");
            assertThat(third.read()).isEqualTo("1");
            assertThat((String) third.call("CLIENT", "INFO")).contains(" user=alice ");
        }
    }

    @Test
    void tellsAClientThatSpeaksNoTlsThatItMust() throws Exception {
        Certificates certificates = new Certificates(folder);
        try (Service service = Service.start(
                        config().withTls(Tls.server(certificates.selfSigned("server"), certificates.key("server"))),
                        KeyValueStore::new);
                RespClient plain = client(service)) {
            assertThat(plain.call("PING")).isEqualTo("-ERR this port speaks TLS alone");
        }
    }

    @Test
    void logsInWithHello() throws Exception {
        try (Service service = startWithTokens();
                RespClient alice = client(service)) {
            assertThat((String) alice.call("HELLO", "2")).startsWith("-NOAUTH ");
            assertThat(alice.call("HELLO", "2", "AUTH", "alice", "open sesame", "SETNAME", "desk")
                            .toString())
                    .contains("server, redis");
            assertThat(alice.call("CLIENT", "GETNAME")).isEqualTo("desk");
        }
    }

    @Test
    void saysInItsTurnWhatAReaderMayNotDo() throws Exception {
        try (Service service = startWithTokens();
                RespClient reader = client(service)) {
            assertThat(reader.call("AUTH", "reader", "look")).isEqualTo("+OK");
            for (int i = 0; i < 20; i++) {
                reader.write("GET", "a");
                reader.write("SET", "a", "1");
                reader.write("BLPOP", "l", "0");
            }
            reader.flush();
            for (int i = 0; i < 20; i++) {
                assertThat(reader.read()).isEqualTo("(nil)");
                assertThat(reader.read()).isEqualTo("-NOPERM this user has no permissions to run the 'set' command");
                assertThat((String) reader.read()).startsWith("-NOPERM ").contains("'blpop'");
            }
        }
    }

    @Test
    void asksForTheRightOfEachCommand() throws Exception {
        Set<String> free =
                Set.of(("AUTH COMMAND ECHO HELLO PING QUIT RESET SELECT WAIT CLIENT MULTI EXEC DISCARD WATCH "
                                + "UNWATCH UNSUBSCRIBE PUNSUBSCRIBE")
                        .split(" "));
        Set<String> listening = Set.of("SUBSCRIBE", "PSUBSCRIBE");
        Set<String> reading = Set.of(("GET STRLEN GETRANGE SUBSTR MGET EXISTS TTL PTTL EXPIRETIME PEXPIRETIME TYPE"
            + " RANDOMKEY KEYS SCAN TOUCH OBJECT DUMP DBSIZE INFO TIME MEMORY PUBSUB HGET HMGET HGETALL HLEN HSTRLEN"
            + " HEXISTS HKEYS HVALS HRANDFIELD HSCAN LLEN LRANGE LINDEX LPOS SISMEMBER SMISMEMBER SCARD SMEMBERS"
            + " SRANDMEMBER SINTER SUNION SDIFF SINTERCARD SSCAN ZSCORE ZMSCORE ZCARD ZRANK ZREVRANK ZCOUNT ZLEXCOUNT"
            + " ZRANGE ZREVRANGE ZRANGEBYSCORE ZREVRANGEBYSCORE ZRANGEBYLEX ZREVRANGEBYLEX ZSCAN ZUNION ZINTER ZDIFF"
            + " ZINTERCARD ZRANDMEMBER SORT_RO GETBIT BITCOUNT BITPOS BITFIELD_RO XLEN XRANGE XREVRANGE XREAD XPENDING"
            + " XINFO SLOWLOG LATENCY")
                .split(" "));
        try (Service service = startWithTokens();
                RespClient reader = client(service, "look");
                RespClient listener = client(service, "listen");
                RespClient writer = client(service, "write")) {
            for (RedisCommand command : RedisCommand.values()) {
                String name = command.name();
                if (name.equals("QUIT")) {
                    continue;
                }
                boolean isFree = free.contains(name);
                assertPermitted(reader, isFree || reading.contains(name), words(command));
                assertPermitted(listener, isFree || listening.contains(name), words(command));
                assertPermitted(writer, isFree || !reading.contains(name) && !listening.contains(name), words(command));
            }
            assertPermitted(reader, true, "CONFIG", "GET", "maxmemory");
            assertPermitted(reader, false, "CONFIG", "SET", "maxmemory", "0");
            assertPermitted(reader, false, "CONFIG", "RESETSTAT");
            assertPermitted(reader, false, "SLOWLOG", "RESET");
            assertPermitted(reader, true, "CLIENT", "LIST");
            assertPermitted(reader, false, "CLIENT", "KILL", "TYPE", "normal");
            assertPermitted(reader, false, "CLIENT", "UNBLOCK", "1");
            assertPermitted(listener, true, "CLIENT", "SETNAME", "x");
            assertPermitted(listener, false, "CLIENT", "LIST");
            assertPermitted(writer, true, "CLIENT", "KILL", "ID", "999999");
        }
    }

    private static String[] words(RedisCommand command) {
        String[] words = new String[Math.abs(command.arity())];
        Arrays.fill(words, "x");
        words[0] = command.name();
        return words;
    }

    private static void assertPermitted(RespClient client, boolean may, String... words) throws IOException {
        Object answer = client.call(words);
        assertThat(answer instanceof String text && text.startsWith("-NOPERM "))
                .as("%s: %s", String.join(" ", words), answer)
                .isNotEqualTo(may);
        // It ends transactions and subscriptions.
        assertThat(client.call("RESET")).isEqualTo("+RESET");
    }

    private RespClient client(Service service, String token) throws IOException {
        RespClient client = client(service);
        assertThat(client.call("AUTH", token)).isEqualTo("+OK");
        return client;
    }

    @Test
    void asksForTheRightsOfWhatIsInATransaction() throws Exception {
        try (Service service = startWithTokens();
                RespClient reader = client(service)) {
            reader.call("AUTH", "look");
            assertThat(reader.call("MULTI")).isEqualTo("+OK");
            assertThat(reader.call("GET", "a")).isEqualTo("+QUEUED");
            assertThat(reader.call("EXEC")).isEqualTo(List.of("(nil)"));
            assertThat(reader.call("MULTI")).isEqualTo("+OK");
            assertThat(reader.call("SET", "a", "1"))
                    .isEqualTo("-NOPERM this user has no permissions to run the 'set' command");
            assertThat((String) reader.call("EXEC")).startsWith("-EXECABORT");
        }
    }

    @Test
    void refusesACommandThatIsSentAsAQuery() throws Exception {
        try (Service service = startWithTokens();
                RespClient alice = client(service);
                ServiceClient reader = ServiceClient.builder("127.0.0.1", service.port())
                        .token("look")
                        .connect()) {
            alice.call("AUTH", "open sesame");
            alice.call("SET", "a", "1");
            assertThat(new String(
                            reader.query(Payloads.of(RedisCommand.FLUSHALL, List.of()))
                                    .payload(),
                            StandardCharsets.US_ASCII))
                    .startsWith("-ERR ");
            assertThat(alice.call("GET", "a")).isEqualTo("1");
        }
    }

    @Test
    void aWebPageHasNoCommandExecuted() throws Exception {
        try (Service service = Service.start(config(), KeyValueStore::new);
                RespClient witness = client(service)) {
            for (String request : List.of(
                    "POST / HTTP/1.1\r\nHost: x\r\n\r\nSET pwned 1\r\n",
                    "post /\r\nSET pwned 1\r\n",
                    "Host: 127.0.0.1\r\nSET pwned 1\r\n",
                    "*1\r\n$4\r\nPOST\r\nSET pwned 1\r\n")) {
                try (Socket socket = new Socket("127.0.0.1", service.port(protocol))) {
                    socket.setSoTimeout(30_000);
                    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                    assertThat(socket.getInputStream().readAllBytes()).isEmpty();
                }
            }
            try (Socket socket = new Socket("127.0.0.1", service.port(protocol))) {
                socket.setSoTimeout(30_000);
                socket.getOutputStream()
                        .write("GET / HTTP/1.1\r\nHost: x\r\nSET pwned 1\r\n".getBytes(StandardCharsets.US_ASCII));
                assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                        .isEqualTo("-ERR wrong number of arguments for 'get' command\r\n");
            }
            assertThat(witness.call("EXISTS", "pwned")).isEqualTo(0L);
        }
    }

    @Test
    void refusesAPasswordWhereNoneIsWanted() throws Exception {
        try (Service service = Service.start(config(), KeyValueStore::new);
                RespClient client = client(service)) {
            assertThat((String) client.call("AUTH", "x")).startsWith("-ERR AUTH <password> called without any");
            assertThat((String) client.call("HELLO", "3", "AUTH", "x", "y")).startsWith("-ERR HELLO AUTH called");
            assertThat(client.call("PING")).isEqualTo("+PONG");
        }
    }

    @Test
    void listsAndKillsClientsOfOtherGateways() throws Exception {
        ServiceConfig config = config().withThreading(Threading.THREE).withGatewayThreads(3);
        try (Service service = Service.start(config, KeyValueStore::new);
                RespClient own = client(service);
                RespClient second = client(service);
                RespClient third = client(service)) {
            long id = (Long) second.call("CLIENT", "ID");
            third.call("CLIENT", "SETNAME", "third");
            assertThat(((String) own.call("CLIENT", "LIST")).lines())
                    .hasSize(3)
                    .anyMatch(line -> line.contains(" name=third "));
            assertThat(own.call("CLIENT", "KILL", "ID", Long.toString(id))).isEqualTo(1L);
            assertThatThrownBy(second::read).isInstanceOf(IOException.class);
            Await.until(
                    "it is not listed",
                    () -> ((String) own.call("CLIENT", "LIST")).lines().count() == 2);
            assertThat(own.call("CLIENT", "KILL", "ID", Long.toString(id))).isEqualTo(0L);
            assertThat(third.call("PING")).isEqualTo("+PONG");
        }
    }

    @Test
    void listsAndKillsClients() throws Exception {
        try (Service service = Service.start(config(), KeyValueStore::new);
                RespClient own = client(service);
                RespClient waiter = client(service);
                RespClient second = client(service)) {
            long waiting = (Long) waiter.call("CLIENT", "ID");
            long id = (Long) second.call("CLIENT", "ID");
            second.call("CLIENT", "SETNAME", "victim");
            waiter.write("BLPOP", "queue", "0");
            waiter.flush();
            String listed;
            do {
                listed = (String) own.call("CLIENT", "LIST");
            } while (!listed.contains("flags=b"));
            assertThat(listed.lines())
                    .hasSize(3)
                    .anyMatch(line -> line.startsWith("id=" + id + " ") && line.contains(" name=victim "));
            assertThat((String) own.call("CLIENT", "LIST", "ID", Long.toString(id)))
                    .contains("name=victim")
                    .doesNotContain("flags=b");
            assertThat(own.call("CLIENT", "KILL", "ID", Long.toString(waiting))).isEqualTo(1L);
            assertThatThrownBy(waiter::read).isInstanceOf(IOException.class);
            assertThat(own.call("CLIENT", "KILL", "1.2.3.4:5")).isEqualTo("-ERR No such client");
            assertThat(own.call("CLIENT", "KILL", "TYPE", "normal")).isEqualTo(1L);
            assertThatThrownBy(() -> second.call("PING")).isInstanceOf(IOException.class);
            assertThat(own.call("RPUSH", "queue", "x")).isEqualTo(1L);
            assertThat(own.call("LLEN", "queue")).isEqualTo(1L);
            assertThat(own.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "no"))
                    .isEqualTo(1L);
            assertThatThrownBy(() -> own.call("PING")).isInstanceOf(EOFException.class);
        }
    }
}
