package io.slipstream.keyvalue;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be told is not taken away. */
class AnswerLimitTest {
    private static final String BIG = "x".repeat(300);
    private static final int ASKS = 1;
    private static final int WAITS = 7;
    private static final int UNLIMITED = 1 << 20;

    /** More than what the answers to the commands behind one in a transaction may take, and error texts. */
    private static final int RESERVE = 100;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GETDEL k",
                "GETSET k other",
                "SET k other GET",
                "GETEX k EX 100",
                "LPOP l",
                "LPOP l 3",
                "RPOP l",
                "RPOP l 100",
                "LMPOP 1 l RIGHT COUNT 2",
                "BLPOP none l 0",
                "BRPOP l 0",
                "BLMPOP 0 1 l LEFT COUNT 3",
                "LMOVE l t LEFT RIGHT",
                "RPOPLPUSH l t",
                "RPOPLPUSH l l",
                "BLMOVE l t LEFT RIGHT 0",
                "BRPOPLPUSH l t 0",
                "SPOP s",
                "SPOP s 2",
                "SPOP s 100",
                "ZPOPMIN z",
                "ZPOPMAX z 2",
                "ZPOPMIN z 100",
                "ZMPOP 1 z MIN COUNT 2",
                "BZPOPMIN z 0",
                "BZPOPMAX z 0",
                "BZMPOP 0 1 z MAX COUNT 3"
            })
    void whatHasRoomIsToldAndWhatHasNotIsStillThere(String line) {
        Store any = filled();
        String answer = any.run(line);
        assertThat(answer).contains(BIG).doesNotStartWith("-");

        Store enough = filled().limit(answer.length());
        long before = enough.hash();
        assertThat(enough.run(line)).isEqualTo(answer);
        assertThat(enough.hash()).isEqualTo(any.hash()).isNotEqualTo(before);

        Store tooLittle = filled().limit(answer.length() - 1);
        assertThat(tooLittle.run(line))
                .startsWith("-ERR the answer is too long")
                .endsWith("\r\n");
        assertThat(tooLittle.hash()).isEqualTo(before);
        assertThat(tooLittle.limit(UNLIMITED).run(line)).hasSameSizeAs(answer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"LRANGE l 0 -1", "SMEMBERS s", "HGETALL h", "ZRANGE z 0 -1", "MGET k k k", "SORT l ALPHA"})
    void whatIsOnlyReadIsToldUpToTheLimit(String line) {
        String answer = filled().run(line);
        assertThat(filled().limit(answer.length()).run(line)).isEqualTo(answer);
        assertThat(filled().limit(answer.length() - 1).run(line)).startsWith("-ERR the answer is too long");
    }

    @Test
    void aTransactionWhoseAnswerHasNoRoomIsNotBegun() {
        String answer = filled().execute("LRANGE l 0 -1", "DEL l", "SET k 1");
        assertThat(answer).startsWith("*3\r\n*4\r\n").endsWith(":1\r\n+OK\r\n");
        Store enough = filled().limit(answer.length() + RESERVE);
        assertThat(enough.execute("LRANGE l 0 -1", "DEL l", "SET k 1")).isEqualTo(answer);

        Store tooLittle = filled().limit(answer.length() - 1);
        long before = tooLittle.hash();
        assertThat(tooLittle.execute("LRANGE l 0 -1", "DEL l", "SET k 1")).startsWith("-EXECABORT");
        assertThat(tooLittle.hash()).isEqualTo(before);
        assertThat(tooLittle.limit(200).execute(new String[100])).startsWith("-ERR the answer is too long");
    }

    @Test
    void aTransactionThatHasChangedSomethingEndsBeforeWhatItCannotTell() {
        Store store = filled().limit(1000);
        assertThat(store.execute("INCR n", "LPOP l 2", "LPOP l 2", "DEL l", "INCR n"))
                .startsWith("*5\r\n:1\r\n*2\r\n$303\r\nl0")
                .endsWith("\r\n-ERR the answer is too long to be told at once, so nothing was done: ask for less\r\n"
                        + "-ERR not done: the answers are too long\r\n-ERR not done: the answers are too long\r\n");
        assertThat(store.limit(UNLIMITED).run("LLEN l")).isEqualTo(":2\r\n");
        assertThat(store.run("GET n")).isEqualTo("$1\r\n1\r\n");
    }

    @Test
    void whoWaitsForMoreThanItCanBeToldGetsAnErrorAndTheElementsStay() {
        Store store = new Store();
        store.runAs(WAITS, "BLMPOP 0 1 l LEFT COUNT 2");
        store.limitOfOther = 200;
        assertThat(store.run("RPUSH l " + BIG + " y")).isEqualTo(":2\r\n");
        assertThat(store.events).hasSize(1);
        assertThat(store.events.getFirst()).contains("-ERR the answer is too long");
        assertThat(store.run("LLEN l")).isEqualTo(":2\r\n");
    }

    @Test
    void aMessageThatOneListenerCannotGetIsNotPublished() {
        Store store = new Store();
        store.run("SUBSCRIBE news");
        store.runAs(WAITS, "PSUBSCRIBE n*");
        store.limitOfOther = 200;
        assertThat(store.runAs(3, "PUBLISH news " + BIG)).startsWith("-ERR the message is too long");
        assertThat(store.events).isEmpty();
        assertThat(store.runAs(3, "PUBLISH news rain")).isEqualTo(":2\r\n");
        assertThat(store.events).hasSize(2);
    }

    @Test
    void aSubscriptionThatCannotBeToldIsNotMade() {
        Store store = new Store().limit(200);
        assertThat(store.run("SUBSCRIBE a " + BIG)).startsWith("-ERR the answer is too long");
        assertThat(store.run("PUBSUB CHANNELS")).isEqualTo("*0\r\n");
        store.limit(UNLIMITED).run("SUBSCRIBE a " + BIG);
        assertThat(store.limit(200).run("UNSUBSCRIBE")).startsWith("-ERR the answer is too long");
        assertThat(store.limit(UNLIMITED).runAs(3, "PUBSUB CHANNELS")).startsWith("*2\r\n");
    }

    private static Store filled() {
        Store store = new Store();
        store.run("SET k " + BIG);
        for (int i = 0; i < 4; i++) {
            store.run("RPUSH l l" + i + "_" + BIG);
            store.run("SADD s s" + i + "_" + BIG);
            store.run("ZADD z " + i + ".5 z" + i + "_" + BIG);
            store.run("HSET h h" + i + " " + BIG);
        }
        return store;
    }

    /** A machine alone, with what it says. */
    private static final class Store implements Output {
        private final KeyValueStore machine = new KeyValueStore();
        private final List<String> events = new ArrayList<>();
        private final RandomGenerator random = new Random(1);
        private String reply = "";
        private int limit = UNLIMITED;
        private int limitOfOther = UNLIMITED;

        Store limit(int newLimit) {
            limit = newLimit;
            return this;
        }

        long hash() {
            return machine.stateHash();
        }

        String run(String line) {
            return runAs(ASKS, line);
        }

        String runAs(int session, String line) {
            return runAs(session, payload(line));
        }

        String execute(String... lines) {
            List<byte[]> words = new ArrayList<>();
            for (String line : lines) {
                words.add(payload(line == null ? "INCR n" : line));
            }
            return runAs(ASKS, payload(RedisCommand.EXEC, words));
        }

        private String runAs(int session, byte[] payload) {
            machine.onCommand(new Asked(session, payload), this);
            return reply;
        }

        private static byte[] payload(String line) {
            String[] words = line.split(" ");
            List<byte[]> arguments = new ArrayList<>();
            for (int i = 1; i < words.length; i++) {
                arguments.add(words[i].getBytes(StandardCharsets.ISO_8859_1));
            }
            return payload(RedisCommand.valueOf(words[0]), arguments);
        }

        private static byte[] payload(RedisCommand command, List<byte[]> words) {
            int bytes = 16 + words.stream().mapToInt(word -> 4 + word.length).sum();
            ByteBuffer to = ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
            to.putShort((short) command.ordinal()).putShort((short) 2).putInt(words.size());
            to.putLong(0);
            words.forEach(word -> to.putInt(word.length));
            words.forEach(to::put);
            return to.array();
        }

        @Override
        public int longest(long session) {
            return session == WAITS ? limitOfOther : limit;
        }

        @Override
        public void reply(MemorySegment memory, long offset, int length) {
            assertThat(length).isLessThanOrEqualTo(limit);
            reply = text(memory, offset, length);
        }

        @Override
        public void event(long session, MemorySegment memory, long offset, int length) {
            assertThat(length).isLessThanOrEqualTo(longest(session));
            events.add(text(memory, offset, length));
        }

        private static String text(MemorySegment memory, long offset, int length) {
            return new String(
                    memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1);
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
        public RandomGenerator random() {
            return random;
        }

        @Override
        public int version() {
            return machine.version();
        }
    }

    private record Asked(long session, MemorySegment memory) implements Request {
        Asked(long session, byte[] payload) {
            this(session, MemorySegment.ofArray(payload));
        }

        @Override
        public long offset() {
            return 0;
        }

        @Override
        public int length() {
            return (int) memory.byteSize();
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
            return 1_000_000_000;
        }
    }
}
