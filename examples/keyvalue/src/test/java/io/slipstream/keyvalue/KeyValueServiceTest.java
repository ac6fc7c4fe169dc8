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
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyValueServiceTest {
    @TempDir
    Path folder;

    private final RespProtocol protocol = new RespProtocol();

    private Service start() throws IOException {
        return Service.start(
                ServiceConfig.in(folder)
                        .withAddress(new InetSocketAddress("127.0.0.1", 0))
                        .withProtocol(protocol, new InetSocketAddress("127.0.0.1", 0))
                        .withMaxResponseTime(Await.RESPONSE)
                        .withLimits(limits -> limits.withMaxFrameLength(1 << 19))
                        .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 22)),
                KeyValueStore::new);
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
            say(service, "SET a 1\nPING\nGET a\nINCRBY a 41\nNONSENSE x\nGET a b\nGET none\nAPPEND a 0\n", """
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
    void fieldsOfBitsWrapStayAtTheirEndsOrFail() throws Exception {
        try (Service service = start()) {
            say(
                    service,
                    "BITFIELD b SET u8 #1 255 GET i8 8 INCRBY u8 #1 2 OVERFLOW SAT INCRBY u8 #1 300 OVERFLOW FAIL "
                            + "INCRBY u8 #1 1 INCRBY i4 0 -8\nSTRLEN b\nBITFIELD_RO b GET u16 0\n"
                            + "BITFIELD_RO b SET u8 0 1\nBITFIELD c GET u8 100\nEXISTS c\n",
                    """
                    *6
                    :0
                    :-1
                    :1
                    :255
                    $-1
                    :-8
                    :2
                    *1
                    :33023
                    -ERR BITFIELD_RO only supports the GET subcommand
                    *1
                    :0
                    :0
                    """);
        }
        TestService.assertReplays(folder, KeyValueStore::new);
    }

    @Test
    void aClientMayChooseToHaveNoAnswers() throws Exception {
        try (Service service = start()) {
            say(
                    service,
                    "CLIENT REPLY OFF\nSET a 1\nPING\nNONSENSE\nINCR a\nCLIENT REPLY SKIP\nCLIENT REPLY ON\nGET a\n",
                    "+OK\n$1\n2\n");
            say(
                    service,
                    "GET a\nCLIENT REPLY SKIP\nINCR a\nGET a\nCLIENT REPLY SKIP\nCLIENT REPLY SKIP\nPING\nPING 2\n",
                    "$1\n2\n$1\n3\n$1\n2\n");
            say(service, "CLIENT REPLY SKIP\nCLIENT REPLY ON\nCLIENT REPLY FOO\n", "+OK\n-ERR syntax error\n");
            say(
                    service,
                    "CLIENT REPLY OFF\nSUBSCRIBE c\nPING\nUNSUBSCRIBE c\n",
                    "*3\n$9\nsubscribe\n$1\nc\n:1\n*3\n$11\nunsubscribe\n$1\nc\n:0\n");
        }
    }

    @Test
    void tellsTheKeysOfACommandAndWhatCommandsThereAre() throws Exception {
        try (Service service = start()) {
            say(service, """
                COMMAND GETKEYS GET k
                COMMAND GETKEYS MSET a 1 b 2
                COMMAND GETKEYS ZUNIONSTORE t 2 a b WEIGHTS 1 1
                COMMAND GETKEYS SORT a BY nosort STORE b
                COMMAND GETKEYS XREAD COUNT 2 STREAMS a b 0 0
                COMMAND GETKEYS BLMPOP 0 1 a LEFT
                COMMAND GETKEYS MEMORY USAGE a
                COMMAND GETKEYS PING
                COMMAND GETKEYS NONSENSE
                COMMAND GETKEYS GET
                COMMAND GETKEYS LMPOP 3 a LEFT
                COMMAND LIST FILTERBY PATTERN xinfo*
                COMMAND LIST FILTERBY PATTERN none*
                COMMAND LIST FILTERBY MODULE m
                COMMAND LIST FILTERBY a b
                MEMORY HELP
                MEMORY HELP x
                """, """
                *1
                $1
                k
                *2
                $1
                a
                $1
                b
                *3
                $1
                t
                $1
                a
                $1
                b
                *2
                $1
                a
                $1
                b
                *2
                $1
                a
                $1
                b
                *1
                $1
                a
                *1
                $1
                a
                -ERR The command has no key arguments
                -ERR Invalid command specified
                -ERR Invalid number of arguments specified for command
                -ERR Invalid arguments specified for command
                *5
                $5
                xinfo
                $15
                xinfo|consumers
                $12
                xinfo|groups
                $10
                xinfo|help
                $12
                xinfo|stream
                *0
                *0
                -ERR syntax error
                *3
                +MEMORY <subcommand> [<arg> [value] [opt] ...]. Subcommands are:
                +HELP
                +USAGE
                -ERR wrong number of arguments for 'memory|help' command
                """);
        }
    }

    @Test
    void setsOnlyUnderItsConditions() throws Exception {
        try (Service service = start()) {
            say(
                    service,
                    "SET a 1 XX\nSET a 1 NX\nSET a 2 NX GET\nSET a 2 EX 0\nSET a 2 FOO\nGET a\nMSETNX a 1 c 2\n"
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
        TestService.assertReplays(folder, KeyValueStore::new);
    }

    @Test
    void goesOnFromASnapshotAndFromTheLog() throws Exception {
        StringBuilder sets = new StringBuilder();
        for (int i = 0; i < 5_000; i++) {
            sets.append("SET key").append(i).append(" value").append(i).append('\n');
        }
        try (Service service = start()) {
            say(service, sets.toString(), "+OK\n".repeat(5_000));
            Await.done(service.snapshot());
            say(service, "DEL key7\nSET key8 other EX 1000\n", ":1\n+OK\n");
        }
        try (Service service = start()) {
            say(service, "DBSIZE\nGET key7\nGET key8\nGET key4999\n", ":4999\n$-1\n$5\nother\n$9\nvalue4999\n");
        }
        TestService.assertReplays(folder, KeyValueStore::new);
    }

    @Test
    void runsATransactionWholeOrNotAtAll() throws Exception {
        try (Service service = start()) {
            say(service, "MULTI\nSET a 1\nINCR a\nLPUSH a x\nGET a\nEXEC\n", """
                +OK
                +QUEUED
                +QUEUED
                +QUEUED
                +QUEUED
                *4
                +OK
                :2
                -WRONGTYPE Operation against a key holding the wrong kind of value
                $1
                2
                """);
            say(service, "MULTI\nSET a\nSET a 3\nEXEC\nGET a\nMULTI\nSET a 4\nDISCARD\nGET a\nEXEC\n", """
                +OK
                -ERR wrong number of arguments for 'set' command
                +QUEUED
                -EXECABORT Transaction discarded because of previous errors.
                $1
                2
                +OK
                +QUEUED
                +OK
                $1
                2
                -ERR EXEC without MULTI
                """);
            try (RespClient first = client(service);
                    RespClient second = client(service)) {
                assertThat(first.call("WATCH", "a")).isEqualTo("+OK");
                assertThat(second.call("SET", "a", "5")).isEqualTo("+OK");
                first.call("MULTI");
                first.call("SET", "a", "6");
                assertThat(first.call("EXEC")).isEqualTo("(nil)");
                assertThat(first.call("GET", "a")).isEqualTo("5");
            }
        }
    }

    @Test
    void letsAClientWaitForAnElement() throws Exception {
        try (Service service = start();
                RespClient first = client(service);
                RespClient second = client(service);
                RespClient third = client(service)) {
            first.write("BLPOP", "none", "queue", "0");
            first.flush();
            awaitBlocked(third, 1);
            second.write("BRPOP", "queue", "0");
            second.flush();
            awaitBlocked(third, 2);
            assertThat(third.call("RPUSH", "queue", "x", "y", "z")).isEqualTo(3L);
            assertThat(first.read()).isEqualTo(List.of("queue", "x"));
            assertThat(second.read()).isEqualTo(List.of("queue", "z"));
            assertThat(third.call("LRANGE", "queue", "0", "-1")).isEqualTo(List.of("y"));
            assertThat(third.call("BLPOP", "none", "0.01")).isEqualTo("(nil)");
        }
        TestService.assertReplays(folder, KeyValueStore::new);
    }

    @Test
    void servesWhoWaitsHoweverTheKeyCameToBe() throws Exception {
        try (Service service = start();
                RespClient first = client(service);
                RespClient second = client(service)) {
            waitFor(first, second, "BLPOP", "list", "0");
            second.call("RPUSH", "other", "x", "y");
            assertThat(second.call("RENAME", "other", "list")).isEqualTo("+OK");
            assertThat(first.read()).isEqualTo(List.of("list", "x"));
            waitFor(first, second, "BLMOVE", "from", "list", "LEFT", "RIGHT", "0");
            second.call("SADD", "set", "z");
            assertThat(second.call("SORT", "set", "ALPHA", "STORE", "from")).isEqualTo(1L);
            assertThat(first.read()).isEqualTo("z");
            waitFor(first, second, "BZMPOP", "0", "2", "none", "sorted", "MAX", "COUNT", "5");
            assertThat(second.call("ZUNIONSTORE", "sorted", "1", "set")).isEqualTo(1L);
            assertThat(first.read()).isEqualTo(List.of("sorted", List.of(List.of("z", "1"))));
            assertThat(second.call("LRANGE", "list", "0", "-1")).isEqualTo(List.of("y", "z"));
            second.call("SET", "text", "x");
            waitFor(first, second, "BRPOPLPUSH", "from", "text", "0");
            assertThat(second.call("LPUSH", "from", "a")).isEqualTo(1L);
            assertThat((String) first.read()).startsWith("-WRONGTYPE");
            assertThat(second.call("LLEN", "from")).isEqualTo(1L);
        }
        TestService.assertReplays(folder, KeyValueStore::new);
    }

    @Test
    void passesOnWhatOneWhoWaitedHasMovedAndEndsAWaitOnRequest() throws Exception {
        try (Service service = start();
                RespClient first = client(service);
                RespClient second = client(service);
                RespClient third = client(service)) {
            Object id = first.call("CLIENT", "ID");
            waitFor(first, third, "BLPOP", "b", "0");
            second.write("BRPOPLPUSH", "a", "b", "0");
            second.flush();
            awaitBlocked(third, 2);
            assertThat(third.call("LPUSH", "a", "x")).isEqualTo(1L);
            assertThat(second.read()).isEqualTo("x");
            assertThat(first.read()).isEqualTo(List.of("b", "x"));
            waitFor(first, third, "BLPOP", "b", "0");
            assertThat(third.call("CLIENT", "UNBLOCK", id.toString(), "ERROR")).isEqualTo(1L);
            assertThat((String) first.read()).startsWith("-UNBLOCKED");
            assertThat(third.call("CLIENT", "UNBLOCK", id.toString())).isEqualTo(0L);
        }
    }

    @Test
    void refusesNumbersThatAreNone() throws Exception {
        try (Service service = start()) {
            say(
                    service,
                    "SET k inf\nINCRBYFLOAT k -inf\nGET k\nSET n 1\nINCRBYFLOAT n 1e309\nZADD z 1e309 m\nGET n\n",
                    """
                    +OK
                    -ERR increment would produce NaN or Infinity
                    $3
                    inf
                    +OK
                    -ERR value is not a valid float
                    -ERR value is not a valid float
                    $1
                    1
                    """);
        }
    }

    @Test
    void setsAllSettingsOrNoneAndTellsThem() throws Exception {
        try (Service service = start();
                RespClient client = client(service)) {
            assertThat((String) client.call("CONFIG", "SET", "maxmemory", "10mb", "timeout", "7", "nosuch", "1"))
                    .startsWith("-ERR Unknown option");
            assertThat(client.call("CONFIG", "GET", "maxmemory", "timeout"))
                    .isEqualTo(List.of("maxmemory", "0", "timeout", "0"));
            assertThat((String) client.call("CONFIG", "SET", "timeout", "7", "Timeout", "8"))
                    .contains("duplicate parameter");
            assertThat(client.call("CONFIG", "SET", "maxmemory", "1gb", "hash-max-listpack-entries", "7"))
                    .isEqualTo("+OK");
            assertThat(client.call("CONFIG", "GET", "MaxMemory", "hash-max-listpack-e*"))
                    .isEqualTo(List.of("maxmemory", "1073741824", "hash-max-listpack-entries", "7"));
        }
    }

    @Test
    void tellsWhereTheKeysOfACommandAre() throws Exception {
        try (Service service = start();
                RespClient client = client(service)) {
            assertThat(client.call("COMMAND", "INFO", "mset", "blpop", "ping", "zinter", "sort"))
                    .isEqualTo(List.of(
                            described("mset", -3, List.of("+write"), 1, -1, 2, "write"),
                            described("blpop", -3, List.of("+write", "+blocking"), 1, -2, 1, "write"),
                            described("ping", -1, List.of("+fast"), 0, 0, 0, "connection"),
                            described("zinter", -3, List.of("+readonly", "+movablekeys"), 0, 0, 0, "read"),
                            described("sort", -2, List.of("+write", "+movablekeys"), 1, 1, 1, "write")));
        }
    }

    private static List<Object> described(
            String name, long arity, List<String> flags, long first, long last, long step, String category) {
        return List.of(
                name, arity, flags, first, last, step, List.of("+@" + category), List.of(), List.of(), List.of());
    }

    @Test
    void aClientThatAsksForMoreThanItReadsIsNotCutOff() throws Exception {
        String value = "v".repeat(100_000);
        try (Service service = start();
                RespClient client = client(service);
                RespClient witness = client(service)) {
            assertThat(client.call("SET", "k", value)).isEqualTo("+OK");
            for (int i = 0; i < 1_000; i++) {
                client.write("GET", "k");
            }
            client.flush();
            for (int i = 0; i < 100; i++) {
                assertThat(witness.call("GET", "none")).isEqualTo("(nil)");
            }
            for (int i = 0; i < 1_000; i++) {
                assertThat((String) client.read()).hasSize(value.length());
            }
        }
    }

    @Test
    void refusesAPatternThatIsTooLong() throws Exception {
        String pattern = "[" + "a".repeat(2_000) + "]";
        String refused = "-ERR the pattern has 2002 bytes, and at most 1024 are taken";
        try (Service service = start();
                RespClient client = client(service)) {
            assertThat(client.call("KEYS", pattern)).isEqualTo(refused);
            assertThat(client.call("SCAN", "0", "MATCH", pattern)).isEqualTo(refused);
            assertThat(client.call("PUBSUB", "CHANNELS", pattern)).isEqualTo(refused);
            assertThat(client.call("PSUBSCRIBE", "a*", pattern)).isEqualTo(refused);
            assertThat(client.call("PUBSUB", "NUMPAT")).isEqualTo(0L);
        }
    }

    @Test
    void boundsTheBytesOfATransaction() throws Exception {
        String value = "x".repeat(10_000);
        try (Service service = start();
                RespClient client = client(service)) {
            client.call("MULTI");
            Object answer = "+QUEUED";
            int queued = 0;
            while (answer.equals("+QUEUED") && queued < 1_000) {
                answer = client.call("SET", "k", value);
                queued++;
            }
            assertThat((String) answer).startsWith("-ERR the transaction has more than ");
            assertThat((String) client.call("EXEC")).startsWith("-EXECABORT");
            assertThat(client.call("EXISTS", "k")).isEqualTo(0L);
            client.call("MULTI");
            for (int i = 1; i < queued; i++) {
                assertThat(client.call("SET", "k", value)).isEqualTo("+QUEUED");
            }
            assertThat((List<?>) client.call("EXEC")).hasSize(queued - 1);
        }
    }

    @Test
    void watchesNothingMoreAfterATransactionThatWasWrong() throws Exception {
        try (Service service = start();
                RespClient first = client(service);
                RespClient second = client(service)) {
            first.call("WATCH", "k");
            first.call("MULTI");
            first.call("NOSUCH");
            assertThat(first.call("EXEC")).isEqualTo("-EXECABORT Transaction discarded because of previous errors.");
            second.call("SET", "k", "1");
            first.call("MULTI");
            first.call("SET", "x", "1");
            assertThat(first.call("EXEC")).isEqualTo(List.of("+OK"));
        }
    }

    @Test
    void answersInOrderWhatWasAskedBeforeAndBehindAWait() throws Exception {
        try (Service service = start();
                RespClient first = client(service);
                RespClient second = client(service)) {
            for (int i = 0; i < 50; i++) {
                first.write("SET", "a", Integer.toString(i));
                first.write("BLPOP", "queue", "0");
                first.write("GET", "a");
                first.flush();
                awaitBlocked(second, 1);
                second.call("RPUSH", "queue", "x");
                assertThat(first.read()).isEqualTo("+OK");
                assertThat(first.read()).isEqualTo(List.of("queue", "x"));
                assertThat(first.read()).isEqualTo(Integer.toString(i));
            }
        }
    }

    @Test
    void aClientThatWaitsAndGoesTakesNoElement() throws Exception {
        try (Service service = start();
                RespClient second = client(service)) {
            try (RespClient first = client(service)) {
                first.write("BLPOP", "queue", "0");
                first.write("PING");
                first.flush();
                awaitBlocked(second, 1);
                first.write("SET", "never", "set");
                first.flush();
            }
            awaitBlocked(second, 0);
            assertThat(second.call("RPUSH", "queue", "x")).isEqualTo(1L);
            assertThat(second.call("LLEN", "queue")).isEqualTo(1L);
            assertThat(second.call("EXISTS", "never")).isEqualTo(0L);
        }
    }

    @Test
    void answersAClientThatHasEndedItsStream() throws Exception {
        try (Service service = start();
                Socket socket = new Socket("127.0.0.1", service.port(protocol))) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write("SET a 1\r\nPING\r\nGET a\r\n".getBytes(StandardCharsets.UTF_8));
            socket.shutdownOutput();
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("+OK\r\n+PONG\r\n$1\r\n1\r\n");
        }
    }

    @Test
    void whoWaitsIsInTheSnapshot() throws Exception {
        try (Service service = start();
                RespClient first = client(service);
                RespClient second = client(service)) {
            waitFor(first, second, "BLMPOP", "0", "2", "a", "b", "LEFT", "COUNT", "2");
            Await.done(service.snapshot());
            second.call("RPUSH", "b", "x", "y", "z");
            assertThat(first.read()).isEqualTo(List.of("b", List.of("x", "y")));
        }
        TestService.assertReplays(folder, KeyValueStore::new);
    }

    private static void waitFor(RespClient who, RespClient witness, String... command) throws IOException {
        who.write(command);
        who.flush();
        awaitBlocked(witness, 1);
    }

    @Test
    void tellsSubscribersWhatIsPublished() throws Exception {
        try (Service service = start();
                RespClient subscriber = client(service);
                RespClient publisher = client(service)) {
            assertThat(subscriber.call("SUBSCRIBE", "news")).isEqualTo(List.of("subscribe", "news", 1L));
            assertThat(subscriber.call("PSUBSCRIBE", "n*")).isEqualTo(List.of("psubscribe", "n*", 2L));
            assertThat(publisher.call("PUBLISH", "news", "rain")).isEqualTo(2L);
            assertThat(subscriber.read()).isEqualTo(List.of("message", "news", "rain"));
            assertThat(subscriber.read()).isEqualTo(List.of("pmessage", "n*", "news", "rain"));
            assertThat((String) subscriber.call("GET", "a")).startsWith("-ERR Can't execute 'get'");
            assertThat(subscriber.call("PING")).isEqualTo(List.of("pong", ""));
            assertThat(subscriber.call("UNSUBSCRIBE", "news")).isEqualTo(List.of("unsubscribe", "news", 1L));
            assertThat(publisher.call("PUBLISH", "news", "sun")).isEqualTo(1L);
            assertThat(subscriber.read()).isEqualTo(List.of("pmessage", "n*", "news", "sun"));
            assertThat(subscriber.call("RESET")).isEqualTo("+RESET");
            assertThat(publisher.call("PUBLISH", "news", "fog")).isEqualTo(0L);
            assertThat(subscriber.call("GET", "a")).isEqualTo("(nil)");
        }
    }

    private RespClient client(Service service) throws IOException {
        return new RespClient(new Socket("127.0.0.1", service.port(protocol)));
    }

    private static void awaitBlocked(RespClient client, int count) throws IOException {
        String line = "blocked_clients:" + count;
        String info = "";
        for (int i = 0; i < 100_000 && !info.contains(line); i++) {
            info = (String) client.call("INFO", "clients");
        }
        assertThat(info).contains(line);
    }
}
