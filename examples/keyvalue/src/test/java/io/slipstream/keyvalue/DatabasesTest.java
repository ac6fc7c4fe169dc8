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
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.testing.TestService;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sixteen databases in one log, and the logs of a store that had one. */
class DatabasesTest {
    /** Saved by version 1: a key of each type, one with an expiry, one who watches, one who waits, and a setting. */
    private static final String STATE_OF_VERSION_1 = """
        CwAAAAAAAAAGAAAAAAAAAAEAAAB6AwAAAAAAAAAACQAAAAAAAAABAQAAAAEAAABtAAAAAAAA+D8BAAAAaAQAAAAAAAAAAAcAAAAA
        AAAAAQEAAAABAAAAZgEAAAB2AQAAAGUAcBcAAAAAAAADAAAAAAAAAAEAAAB2AQAAAHgFAAAAAAAAAAALAAAAAAAAAAABAAAAAAAA
        AAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAQAAAAEAAAAAAAAAAQAAAAAAAAACAAAAAQAAAGYBAAAAdgAAAAABAAAA
        awAAAAAAAAAAAAEAAAAAAAAAAQAAAHYBAAAAbAEAAAAAAAAAAAUAAAAAAAAAAQMAAAABAAAAYQEAAABiAQAAAGMAAEAGAAAAAAoA
        AABub2V2aWN0aW9uAAAAAAAAAAAVAAAADAAAAGFjdGl2ZWRlZnJhZwIAAABubxQAAABidXN5LXJlcGx5LXRocmVzaG9sZAQAAAA1
        MDAwGQAAAGhhc2gtbWF4LWxpc3RwYWNrLWVudHJpZXMDAAAANTEyFwAAAGhhc2gtbWF4LWxpc3RwYWNrLXZhbHVlAgAAADY0GAAA
        AGhhc2gtbWF4LXppcGxpc3QtZW50cmllcwMAAAA1MTIWAAAAaGFzaC1tYXgtemlwbGlzdC12YWx1ZQIAAAA2NBAAAABsYXRlbmN5
        LXRyYWNraW5nAwAAAHllcxYAAABsYXp5ZnJlZS1sYXp5LXVzZXItZGVsAgAAAG5vEwAAAGxpc3QtY29tcHJlc3MtZGVwdGgBAAAA
        MBYAAABsaXN0LW1heC1saXN0cGFjay1zaXplAgAAAC0yFQAAAGxpc3QtbWF4LXppcGxpc3Qtc2l6ZQIAAAAtMg4AAABsdWEtdGlt
        ZS1saW1pdAQAAAA1MDAwEQAAAG1heG1lbW9yeS1zYW1wbGVzAQAAADUWAAAAbm90aWZ5LWtleXNwYWNlLWV2ZW50cwAAAAAWAAAA
        c2V0LW1heC1pbnRzZXQtZW50cmllcwMAAAA1MTIXAAAAc2xvd2xvZy1sb2ctc2xvd2VyLXRoYW4FAAAAMTAwMDAHAAAAdGltZW91
        dAEAAAAwGQAAAHpzZXQtbWF4LWxpc3RwYWNrLWVudHJpZXMDAAAAMTI4FwAAAHpzZXQtbWF4LWxpc3RwYWNrLXZhbHVlAgAAADY0
        GAAAAHpzZXQtbWF4LXppcGxpc3QtZW50cmllcwMAAAAxMjgWAAAAenNldC1tYXgtemlwbGlzdC12YWx1ZQIAAAA2NAAAAAAAAAAA
        AQAAAAkAAAAAAAAAGgAAAGoAAgACAAAAAAAAAAAAAAABAAAAAQAAAHEwcBcAAAAAAAABAAAACAAAAAAAAAACAAAAAQAAAGsBAAAA
        AAAAAAQAAABub25lAAAAAAAAAAA=
        """;

    private static final long HASH_OF_VERSION_1 = 3_641_920_001_355_067_840L;

    @TempDir
    Path folder;

    private final RespProtocol protocol = new RespProtocol();

    private Service start() throws IOException {
        return Service.start(
                ServiceConfig.in(folder)
                        .withAddress(new InetSocketAddress("127.0.0.1", 0))
                        .withProtocol(protocol, new InetSocketAddress("127.0.0.1", 0))
                        .withMaxResponseTime(Await.RESPONSE)
                        .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 22)),
                KeyValueStore::new);
    }

    private RespClient connect(Service service) throws IOException {
        return new RespClient(new Socket("127.0.0.1", service.port(protocol)));
    }

    private RespClient select(Service service, int database) throws IOException {
        RespClient client = connect(service);
        assertThat(client.call("SELECT", "" + database)).isEqualTo("+OK");
        return client;
    }

    @Test
    void keepsTheKeysOfEachApartAlsoBehindARestart() throws Exception {
        try (Service service = start();
                RespClient first = connect(service);
                RespClient third = select(service, 3)) {
            first.call("SET", "k", "zero");
            third.call("SET", "k", "three", "PX", "900000");
            third.call("RPUSH", "l", "a");
            assertThat(first.call("GET", "k")).isEqualTo("zero");
            assertThat(third.call("GET", "k")).isEqualTo("three");
            assertThat(first.call("DBSIZE")).isEqualTo(1L);
            assertThat(third.call("DBSIZE")).isEqualTo(2L);
            assertThat(first.call("EXISTS", "l")).isEqualTo(0L);
            assertThat(first.call("INFO", "keyspace"))
                    .isEqualTo("# Keyspace\r\ndb0:keys=1,expires=0,avg_ttl=0\r\ndb3:keys=2,expires=1,avg_ttl=0\r\n");
            assertThat(first.call("CONFIG", "GET", "databases")).isEqualTo(List.of("databases", "16"));
            assertThat((String) third.call("CLIENT", "INFO")).contains(" db=3 ");
            assertThat(third.call("RESET")).isEqualTo("+RESET");
            assertThat(third.call("GET", "k")).isEqualTo("zero");
        }
        try (Service service = start();
                RespClient client = select(service, 3)) {
            assertThat(client.call("GET", "k")).isEqualTo("three");
            assertThat(client.call("FLUSHDB")).isEqualTo("+OK");
            assertThat(client.call("SELECT", "0")).isEqualTo("+OK");
            assertThat(client.call("GET", "k")).isEqualTo("zero");
            assertThat(client.call("SELECT", "16")).isEqualTo("-ERR DB index is out of range");
            assertThat(client.call("SELECT", "-1")).isEqualTo("-ERR DB index is out of range");
            assertThat(client.call("GET", "k")).as("still there").isEqualTo("zero");
            client.call("SELECT", "15");
            client.call("SET", "other", "v");
            assertThat(client.call("FLUSHALL")).isEqualTo("+OK");
            assertThat(client.call("INFO", "keyspace")).isEqualTo("# Keyspace\r\n");
        }
        TestService.assertReplays(folder, KeyValueStore::new);
    }

    @Test
    void servesWhoWaitsInTheSameDatabaseAlone() throws Exception {
        try (Service service = start();
                RespClient waits = select(service, 1);
                RespClient first = connect(service);
                RespClient second = select(service, 1)) {
            waits.write("BLPOP", "q", "0");
            waits.flush();
            awaitBlocked(first, 1);
            first.call("RPUSH", "q", "zero");
            assertThat(first.call("LLEN", "q")).as("nobody waits for it there").isEqualTo(1L);
            second.call("RPUSH", "q", "one");
            assertThat(waits.read()).isEqualTo(List.of("q", "one"));
            assertThat(second.call("LLEN", "q")).isEqualTo(0L);

            waits.write("BLPOP", "q", "0");
            waits.flush();
            awaitBlocked(first, 1);
            assertThat(first.call("MOVE", "q", "1")).isEqualTo(1L);
            assertThat(waits.read()).as("moved to it").isEqualTo(List.of("q", "zero"));

            waits.write("BLPOP", "q", "0");
            waits.flush();
            awaitBlocked(first, 1);
            first.call("RPUSH", "q", "swapped");
            assertThat(first.call("SWAPDB", "0", "1")).isEqualTo("+OK");
            assertThat(waits.read()).as("its database has become the other").isEqualTo(List.of("q", "swapped"));
        }
        TestService.assertReplays(folder, KeyValueStore::new);
    }

    private static void awaitBlocked(RespClient client, int count) throws IOException {
        while (!((String) client.call("INFO", "clients")).contains("blocked_clients:" + count + "\r\n")) {
            Thread.onSpinWait();
        }
    }

    @Test
    void watchesAKeyOfItsDatabase() throws Exception {
        try (Service service = start();
                RespClient client = select(service, 2);
                RespClient other = connect(service)) {
            client.call("SET", "k", "v");
            client.call("WATCH", "k");
            other.call("SET", "k", "elsewhere");
            client.call("MULTI");
            client.call("GET", "k");
            assertThat(client.call("EXEC")).isEqualTo(List.of("v"));

            client.call("WATCH", "k");
            assertThat(other.call("SWAPDB", "0", "2")).isEqualTo("+OK");
            client.call("MULTI");
            client.call("GET", "k");
            assertThat(client.call("EXEC"))
                    .as("another key stands under that name")
                    .isEqualTo("(nil)");
            assertThat(client.call("GET", "k")).isEqualTo("elsewhere");
        }
        TestService.assertReplays(folder, KeyValueStore::new);
    }

    @Test
    void keepsATransactionInOneDatabase() throws Exception {
        try (Service service = start();
                RespClient client = connect(service)) {
            client.call("MULTI");
            assertThat(client.call("SELECT", "0")).isEqualTo("+QUEUED");
            assertThat(client.call("SET", "k", "v")).isEqualTo("+QUEUED");
            assertThat(client.call("EXEC")).isEqualTo(List.of("+OK", "+OK"));
            client.call("MULTI");
            assertThat(client.call("SELECT", "1")).isEqualTo("-ERR another database cannot be selected within MULTI");
            assertThat(client.call("SET", "k", "w")).isEqualTo("+QUEUED");
            assertThat((String) client.call("EXEC")).startsWith("-EXECABORT");
            assertThat(client.call("GET", "k")).isEqualTo("v");
        }
    }

    @Test
    void goesOnFromASnapshotOfVersion1() {
        KeyValueStore store = new KeyValueStore();
        store.load(new Input(Base64.getMimeDecoder().decode(STATE_OF_VERSION_1)), 1);
        assertThat(store.stateHash()).isEqualTo(HASH_OF_VERSION_1);
        Replies replies = new Replies(2);
        assertThat(replies.to(store, 0, "GET", "k")).isEqualTo("$1\r\nv\r\n");
        assertThat(replies.to(store, 0, "XLEN", "x")).isEqualTo(":1\r\n");
        assertThat(replies.to(store, 1, "RPUSH", "q", "a")).isEqualTo(":1\r\n");
        assertThat(replies.events).as("who waits does so in the first database").isZero();
        assertThat(replies.to(store, 0, "RPUSH", "q", "a")).isEqualTo(":1\r\n");
        assertThat(replies.events).isEqualTo(1);
    }

    /** What was refused then is refused when that log is replayed, or the replay would lead to other keys. */
    @Test
    void hasOneDatabaseInALogOfVersion1() {
        KeyValueStore store = new KeyValueStore();
        Replies ofVersion1 = new Replies(1);
        ofVersion1.to(store, 0, "SET", "k", "v");
        long before = store.stateHash();
        assertThat(ofVersion1.to(store, 0, "MOVE", "k", "1")).startsWith("-ERR");
        assertThat(ofVersion1.to(store, 0, "COPY", "k", "k2", "DB", "1")).startsWith("-ERR");
        assertThat(ofVersion1.to(store, 0, "CONFIG", "SET", "databases", "1")).isEqualTo("+OK\r\n");
        assertThat(ofVersion1.to(store, 0, "CONFIG", "SET", "stream-node-max-entries", "10"))
                .startsWith("-ERR");
        assertThat(store.stateHash()).isEqualTo(before);
        Replies ofVersion2 = new Replies(2);
        assertThat(ofVersion2.to(store, 0, "CONFIG", "SET", "databases", "1")).startsWith("-ERR");
        assertThat(ofVersion2.to(store, 0, "CONFIG", "SET", "stream-node-max-entries", "10"))
                .isEqualTo("+OK\r\n");
        assertThat(ofVersion2.to(store, 0, "CONFIG", "GET", "stream-node-*"))
                .contains("stream-node-max-entries\r\n$2\r\n10\r\n")
                .contains("stream-node-max-bytes\r\n$4\r\n4096\r\n");
        assertThat(ofVersion2.to(store, 0, "MOVE", "k", "1")).isEqualTo(":1\r\n");
        assertThat(ofVersion2.to(store, 1, "GET", "k")).isEqualTo("$1\r\nv\r\n");
    }

    @Test
    void whoReadsAsAGroupWaitsForARemovedStreamInALogOfVersion1Alone() {
        KeyValueStore store = new KeyValueStore();
        Replies ofVersion1 = new Replies(1);
        Replies ofVersion2 = new Replies(2);
        for (Replies replies : List.of(ofVersion1, ofVersion2)) {
            replies.to(store, 0, "XGROUP", "CREATE", "x", "g", "$", "MKSTREAM");
            replies.to(store, 0, "XREADGROUP", "GROUP", "g", "alice", "BLOCK", "0", "STREAMS", "x", ">");
            replies.to(store, 0, "DEL", "x");
        }
        assertThat(ofVersion1.events).isZero();
        assertThat(ofVersion2.events).isEqualTo(1);
    }

    @Test
    void refusesADatabaseThatIsNotThere() {
        assertThatThrownBy(() -> Payloads.of(16, RedisCommand.GET, List.of("k")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no database 16");
        byte[] payload = Payloads.of(RedisCommand.GET, List.of("k"));
        payload[3] = (byte) (9 << 4);
        assertThatThrownBy(
                        () -> new KeyValueStore().onCommand(new Asked(MemorySegment.ofArray(payload)), new Replies(2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no class of values 9");
    }

    @Test
    void doesATransactionThatIsAPayload() {
        KeyValueStore store = new KeyValueStore();
        Replies replies = new Replies(2);
        byte[] payload = Payloads.transaction(List.of(
                Payloads.of(RedisCommand.SET, List.of("k", "v")),
                Payloads.of(1, RedisCommand.RPUSH, List.of("l", "a", "b"))));
        store.onCommand(new Asked(MemorySegment.ofArray(payload)), replies);
        assertThat(replies.reply).isEqualTo("*2\r\n+OK\r\n:2\r\n");
        assertThat(replies.to(store, 1, "LLEN", "l")).isEqualTo(":2\r\n");
        assertThat(replies.to(store, 0, "LLEN", "l")).isEqualTo(":0\r\n");
    }

    @Test
    void asksAtTheTimeOfTheStoreOrAtAnother() {
        KeyValueStore store = new KeyValueStore();
        Replies replies = new Replies(2);
        replies.to(store, 0, "SET", "k", "v", "PX", "1000");
        assertThat(List.of(0L, 1_999L, 2_000L))
                .extracting(time -> Payloads.of(0, RedisCommand.EXISTS, time, List.of("k")))
                .extracting(payload -> {
                    store.onQuery(new Asked(MemorySegment.ofArray(payload)), replies);
                    return replies.reply;
                })
                .containsExactly(":1\r\n", ":1\r\n", ":0\r\n");
    }

    @Test
    void takesLongStringsOnlyWhereTheCommandSaysSoAndNeverInALogOfVersionOne() {
        byte[] payload = Payloads.of(RedisCommand.SETRANGE, List.of("k", "1000000", "x"));
        KeyValueStore store = new KeyValueStore();
        Replies replies = new Replies(2);
        store.onCommand(new Asked(MemorySegment.ofArray(payload)), replies);
        assertThat(replies.reply).startsWith("-ERR string exceeds maximum allowed size");
        payload[3] = 2 << 4;
        store.onCommand(new Asked(MemorySegment.ofArray(payload)), replies);
        assertThat(replies.reply).isEqualTo(":1000001\r\n");
        assertThatThrownBy(
                        () -> new KeyValueStore().onCommand(new Asked(MemorySegment.ofArray(payload)), new Replies(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("strings have at most");
    }

    @Test
    void refusesTheSignsOfIdsForGroupsInALogOfVersionOne() {
        KeyValueStore store = new KeyValueStore();
        for (int version = 1; version <= 2; version++) {
            Replies replies = new Replies(version);
            replies.to(store, 0, "XGROUP", "CREATE", "s", "g" + version, "0", "MKSTREAM");
            assertThat(replies.to(store, 0, "XGROUP", "SETID", "s", "g" + version, "+"))
                    .startsWith(version == 1 ? "-ERR Invalid stream ID" : "+OK");
        }
    }

    /** Keeps the last reply, and plays a log of some version. */
    private static final class Replies implements Output {
        private final int version;
        private String reply = "";
        private int events;

        Replies(int version) {
            this.version = version;
        }

        String to(KeyValueStore store, int database, String... words) {
            byte[] payload = Payloads.of(
                    database, RedisCommand.valueOf(words[0]), List.of(words).subList(1, words.length));
            store.onCommand(new Asked(MemorySegment.ofArray(payload)), this);
            return reply;
        }

        @Override
        public void reply(MemorySegment memory, long offset, int length) {
            reply = new String(
                    memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1);
        }

        @Override
        public void event(long session, MemorySegment memory, long offset, int length) {
            events++;
        }

        @Override
        public void schedule(long timer, long atNanos) {
            // Time stands still.
        }

        @Override
        public boolean cancel(long timer) {
            return false;
        }

        @Override
        public int version() {
            return version;
        }

        @Override
        public long timeNanos() {
            return Asked.NANOS;
        }
    }

    private record Asked(MemorySegment memory) implements Request {
        private static final long NANOS = 1_000_000_000;

        @Override
        public long offset() {
            return 0;
        }

        @Override
        public int length() {
            return (int) memory.byteSize();
        }

        @Override
        public long session() {
            return 7;
        }

        @Override
        public long correlation() {
            return 1;
        }

        @Override
        public long sequence() {
            return 1;
        }

        @Override
        public long timeNanos() {
            return NANOS;
        }
    }

    private static final class Input implements StateInput {
        private final ByteBuffer left;

        Input(byte[] bytes) {
            left = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        }

        @Override
        public byte readByte() {
            return left.get();
        }

        @Override
        public int readInt() {
            return left.getInt();
        }

        @Override
        public long readLong() {
            return left.getLong();
        }

        @Override
        public void read(MemorySegment memory, long offset, long length) {
            byte[] bytes = new byte[(int) length];
            left.get(bytes);
            MemorySegment.copy(MemorySegment.ofArray(bytes), 0, memory, offset, length);
        }

        @Override
        public long remaining() {
            return left.remaining();
        }
    }
}
