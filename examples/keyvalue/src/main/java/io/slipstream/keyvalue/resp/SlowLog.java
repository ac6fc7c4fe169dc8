package io.slipstream.keyvalue.resp;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The commands that took long, the last one first, as SLOWLOG tells them: how long the store was in them, without the
 * time that they waited or were written to the log. It is in memory alone, and no part of the state.
 *
 * <p>Any thread may call. A command that was quick takes no lock.
 */
public final class SlowLog {
    /** What {@code slowlog-log-slower-than} is at first, in microseconds. */
    public static final long DEFAULT_MICROS = 10_000;

    /** What {@code slowlog-max-len} is at first. */
    public static final int DEFAULT_LENGTH = 128;

    private static final int MAX_WORDS = 32;
    private static final int MAX_WORD_BYTES = 128;
    private static final int DEFAULT_TOLD = 10;

    private final @Nullable Clients clients;
    private final Deque<Entry> entries = new ArrayDeque<>();
    private long nextId;
    private volatile long fromNanos = TimeUnit.MICROSECONDS.toNanos(DEFAULT_MICROS);
    private volatile int maxLength = DEFAULT_LENGTH;

    private record Entry(long id, long unixSeconds, long micros, List<byte[]> words, String address, String name) {}

    /** Creates an empty one that knows of no clients. */
    public SlowLog() {
        this(null);
    }

    SlowLog(@Nullable Clients clients) {
        this.clients = clients;
    }

    /** Sets from how many nanoseconds on a command is slow, {@link Long#MAX_VALUE} for never, and how many are kept. */
    public void keep(long slowNanos, int most) {
        if (fromNanos != slowNanos) {
            fromNanos = slowNanos;
        }
        if (maxLength != most) {
            maxLength = most;
        }
    }

    /** A command or query with that payload was done. */
    public void took(long session, MemorySegment memory, long offset, int length, long nanos) {
        if (nanos < fromNanos) {
            return;
        }
        RedisCommand command = Words.command(memory, offset, length);
        Words words = new Words();
        words.read(memory, offset, length);
        Client client = clients == null ? null : clients.find(session);
        add(
                command == RedisCommand.EXEC ? names(words) : shown(command, words, 0),
                nanos,
                client == null ? "" : client.remote,
                client == null ? "" : client.name);
    }

    /** A command that its gateway answers was done; word 0 is its name. */
    void took(RedisCommand command, Words words, Client client, long nanos) {
        // Who shows a token shows it to nobody else.
        if (nanos >= fromNanos && command != RedisCommand.AUTH && command != RedisCommand.HELLO) {
            add(shown(command, words, 1), nanos, client.remote, client.name);
        }
    }

    private synchronized void add(List<byte[]> words, long nanos, String address, String name) {
        entries.addFirst(new Entry(
                nextId++,
                TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis()),
                TimeUnit.NANOSECONDS.toMicros(nanos),
                words,
                address,
                name));
        while (entries.size() > maxLength) {
            entries.removeLast();
        }
    }

    /** A transaction is shown by the names of what it does. */
    private static List<byte[]> names(Words payloads) {
        List<byte[]> all = new ArrayList<>();
        all.add(bytes(RedisCommand.EXEC.text()));
        int count = payloads.count();
        int shown = 1 + count > MAX_WORDS ? MAX_WORDS - 2 : count;
        for (int i = 0; i < shown; i++) {
            all.add(bytes(Words.command(payloads.memory(), payloads.offset(i), payloads.length(i))
                    .text()));
        }
        return withMore(all, count - shown);
    }

    /** Returns the words with the command's name, as many and as much of each as Redis shows. */
    private static List<byte[]> shown(RedisCommand command, Words words, int first) {
        List<byte[]> all = new ArrayList<>();
        all.add(bytes(command.text()));
        int end = words.count();
        // Behind a zero is what the gateway has added to an INFO.
        while (command == RedisCommand.INFO && end > first && words.startsWithZero(end - 1)) {
            end--;
        }
        int count = end - first;
        int shown = 1 + count > MAX_WORDS ? MAX_WORDS - 2 : count;
        for (int i = first; i < first + shown; i++) {
            all.add(cut(words, i));
        }
        return withMore(all, count - shown);
    }

    private static List<byte[]> withMore(List<byte[]> words, int more) {
        if (more > 0) {
            words.add(bytes("... (" + more + " more arguments)"));
        }
        return List.copyOf(words);
    }

    private static byte[] cut(Words words, int i) {
        int more = words.length(i) - MAX_WORD_BYTES;
        return more <= 0 ? words.bytes(i) : bytes(words.text(i, MAX_WORD_BYTES) + "... (" + more + " more bytes)");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /**
     * Answers SLOWLOG, whose subcommand is word 0.
     *
     * @throws RedisError if the words are wrong, or the answer has no room
     */
    public synchronized void run(Words words, Reply reply) {
        if (words.is(0, "GET") && words.count() <= 2) {
            RedisError wrong = new RedisError("ERR count should be greater than or equal to -1");
            long most = words.count() == 2 ? words.number(1, wrong) : DEFAULT_TOLD;
            if (most < -1) {
                throw wrong;
            }
            tell((int) (most == -1 ? entries.size() : Math.min(most, entries.size())), reply);
        } else if (words.is(0, "LEN") && words.count() == 1) {
            reply.integer(entries.size());
        } else if (words.is(0, "RESET") && words.count() == 1) {
            entries.clear();
            reply.ok();
        } else {
            throw new RedisError("ERR unknown subcommand or wrong number of arguments for '" + words.shown(0)
                    + "'. Try SLOWLOG HELP.");
        }
    }

    private void tell(int count, Reply reply) {
        reply.array(count);
        Iterator<Entry> each = entries.iterator();
        for (int i = 0; i < count; i++) {
            Entry entry = each.next();
            reply.array(6)
                    .integer(entry.id)
                    .integer(entry.unixSeconds)
                    .integer(entry.micros)
                    .array(entry.words.size());
            entry.words.forEach(reply::bulk);
            reply.bulk(entry.address).bulk(entry.name);
        }
    }
}
