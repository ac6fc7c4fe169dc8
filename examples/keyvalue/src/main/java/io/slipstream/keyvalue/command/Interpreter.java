package io.slipstream.keyvalue.command;

import io.slipstream.keyvalue.memory.Keyspace;
import io.slipstream.keyvalue.memory.Place;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Reply;
import io.slipstream.keyvalue.resp.RespProtocol;
import io.slipstream.keyvalue.resp.SlowLog;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.keyvalue.session.Holdings;
import io.slipstream.keyvalue.session.Watches;
import io.slipstream.keyvalue.value.Bytes;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Does commands, one after the other: finds the handler, keeps transactions together, and lets time pass. */
public final class Interpreter implements AutoCloseable {
    /** The timer that removes what has expired; those of waiting clients have the numbers of their sessions. */
    private static final long SWEEP = 0;

    /* What has expired goes with the commands, a few with each; what is left then goes by the timer, not more often. */
    private static final long SWEEP_MILLIS = 100;
    private static final int SWEPT_BY_COMMAND = 4;
    private static final int SWEPT_BY_TIMER = 1_000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** The version of the store from which on there is more than one database. */
    private static final int DATABASES_SINCE = 2;

    /** The version from which on who reads as a group does not wait for a stream that was removed. */
    private static final int READERS_RELEASED_SINCE = 2;

    /** The version from which on a group is set to the first or the last of all ids by a sign. */
    private static final int RIMS_SINCE = 2;

    /** The version from which on a gateway says how long strings may be. */
    private static final int LONG_VALUES_SINCE = 2;

    /** No answer of a command is longer that does not tell what is stored or what was asked; errors may be cut. */
    private static final int SHORT_BYTES = 48;

    private static final int LINE_BYTES = 3;
    private static final String NOT_DONE = "ERR not done: the answers are too long";
    private static final Set<RedisCommand> MAKE_ROOM = EnumSet.of(
            RedisCommand.DEL,
            RedisCommand.UNLINK,
            RedisCommand.FLUSHALL,
            RedisCommand.FLUSHDB,
            RedisCommand.SWAPDB,
            RedisCommand.EXPIRE,
            RedisCommand.PEXPIRE,
            RedisCommand.EXPIREAT,
            RedisCommand.PEXPIREAT,
            RedisCommand.PERSIST,
            RedisCommand.GETDEL,
            RedisCommand.LPOP,
            RedisCommand.RPOP,
            RedisCommand.SPOP,
            RedisCommand.SREM,
            RedisCommand.HDEL,
            RedisCommand.ZREM,
            RedisCommand.ZPOPMIN,
            RedisCommand.ZPOPMAX,
            RedisCommand.LTRIM,
            RedisCommand.LREM,
            RedisCommand.CONFIG,
            RedisCommand.WATCH,
            RedisCommand.UNWATCH,
            RedisCommand.DISCARD,
            RedisCommand.EXEC,
            RedisCommand.SUBSCRIBE,
            RedisCommand.UNSUBSCRIBE,
            RedisCommand.PSUBSCRIBE,
            RedisCommand.PUNSUBSCRIBE,
            RedisCommand.PUBLISH,
            RedisCommand.TIME,
            RedisCommand.RESET,
            RedisCommand.BLPOP,
            RedisCommand.BRPOP,
            RedisCommand.RANDOMKEY,
            RedisCommand.SRANDMEMBER,
            RedisCommand.HRANDFIELD,
            RedisCommand.ZRANDMEMBER,
            RedisCommand.LMPOP,
            RedisCommand.BLMPOP,
            RedisCommand.ZMPOP,
            RedisCommand.BZMPOP,
            RedisCommand.BZPOPMIN,
            RedisCommand.BZPOPMAX,
            RedisCommand.XDEL,
            RedisCommand.XTRIM,
            RedisCommand.XACK,
            RedisCommand.XGROUP,
            RedisCommand.XREADGROUP,
            RedisCommand.XCLAIM,
            RedisCommand.XAUTOCLAIM);

    private static final Set<RedisCommand> WHILE_LISTENING = EnumSet.of(
            RedisCommand.SUBSCRIBE,
            RedisCommand.PSUBSCRIBE,
            RedisCommand.UNSUBSCRIBE,
            RedisCommand.PUNSUBSCRIBE,
            RedisCommand.PING,
            RedisCommand.RESET);

    private final Database database = new Database();
    private final Map<RedisCommand, Handler> handlers = new EnumMap<>(RedisCommand.class);
    private final Server server;
    private final SlowLog slowLog;
    private final Words words = new Words();
    private final Words inner = new Words();
    private final Reply reply = new Reply();
    private final Holdings holdings = new Holdings();
    private final Watches watches = new Watches(holdings);
    private final Channels channels;
    private final Blocked blocked;
    private @Nullable Output output;
    private long session;
    /* When the timer is to fire, in milliseconds since 1970; 0 for never. */
    private long sweepAt;
    private boolean tooLong;
    private boolean isQuery;

    /** Creates an interpreter of an empty store; {@code slowLog} takes what took long. */
    public Interpreter(SlowLog slowLog) {
        this.slowLog = slowLog;
        Sessions sessions = new OutputSessions();
        channels = new Channels(sessions, holdings, handlers);
        blocked = new Blocked(database, sessions, holdings, handlers);
        server = new Server(database, blocked, handlers);
        new Strings(database, handlers);
        new Bits(database, handlers);
        new BitFields(database, handlers);
        new Keys(database, () -> output().random(), handlers);
        new Lists(database, handlers);
        new Hashes(database, () -> output().random(), handlers);
        new Sets(database, () -> output().random(), handlers);
        new SortedSets(database, handlers);
        new SortedSetAlgebra(database, () -> output().random(), handlers);
        new Sort(database, handlers);
        new Streams(database, blocked, handlers);
        new StreamGroups(database, () -> output().version() >= RIMS_SINCE, handlers);
        new StreamInfo(database, handlers);
        handlers.put(RedisCommand.WATCH, this::watch);
        handlers.put(RedisCommand.UNWATCH, this::unwatch);
        handlers.put(RedisCommand.DISCARD, this::unwatch);
        handlers.put(RedisCommand.EXEC, this::execute);
        handlers.put(RedisCommand.RESET, this::reset);
        handlers.put(RedisCommand.PING, this::ping);
        handlers.put(RedisCommand.ECHO, (of, to) -> to.bulk(of.bytes(0)));
        handlers.put(RedisCommand.SELECT, (of, to) -> {
            // The client's gateway selects; within a transaction nothing else can be selected.
            if (database.number(of, 0) != database.selected()) {
                throw RedisError.NO_SUCH_DATABASE;
            }
            to.ok();
        });
        handlers.put(RedisCommand.SWAPDB, this::swap);
        handlers.put(RedisCommand.SLOWLOG, this::slowLog);
    }

    /** Does a command of the log. */
    public void command(Request command, Output to) {
        output = to;
        isQuery = false;
        session = command.session();
        database.count(to.version() < DATABASES_SINCE ? 1 : Words.DATABASES);
        database.beginWrite(command.timeNanos() / NANOS_PER_MILLI);
        blocked.mayWait(true);
        answer(command, to);
        database.sweep(SWEPT_BY_COMMAND);
        releaseReaders(to);
        scheduleSweep(SWEEP_MILLIS);
    }

    /** A command or a query was done, where clients are served. */
    public void took(long of, MemorySegment memory, long offset, int length, long nanos) {
        slowLog.keep(server.slowNanos(), server.slowLogLength());
        slowLog.took(of, memory, offset, length, nanos);
    }

    /** A command or a query comes soon: its first word is a key in nearly all of them. */
    public void expect(MemorySegment memory, long offset, int length) {
        int bytes = Words.firstLength(memory, offset, length);
        if (bytes >= 0) {
            int second = Words.secondLength(memory, offset, length, bytes);
            database.expect(Words.database(memory, offset), memory, Words.firstOffset(memory, offset), bytes, second);
        }
    }

    /** The keys that were expected are about to be asked for. */
    public void prefetch() {
        database.prefetch();
    }

    /** What is told does not follow from the log: a query may be answered so, and no command. */
    private void slowLog(Words of, Reply to) {
        if (!isQuery) {
            throw new RedisError("ERR 'slowlog' is not for here");
        }
        slowLog.run(of, to);
    }

    private void releaseReaders(Output to) {
        if (to.version() >= READERS_RELEASED_SINCE) {
            blocked.releaseReaders();
        } else {
            database.forgetLost();
        }
    }

    private void scheduleSweep(long delayMillis) {
        long next = database.nextExpiryMillis();
        if (next == 0) {
            return;
        }
        long at = Math.max(next, database.nowMillis() + delayMillis);
        if (sweepAt == 0 || at < sweepAt) {
            sweepAt = at;
            output().schedule(SWEEP, at * NANOS_PER_MILLI);
        }
    }

    /** Answers a query. */
    public void query(Request query, Output to) {
        output = to;
        isQuery = true;
        session = query.session();
        blocked.mayWait(false);
        database.beginRead(
                Math.max(to.timeNanos() / NANOS_PER_MILLI, Words.timeMillis(query.memory(), query.offset())));
        answer(query, to);
    }

    /** What the payload at {@code offset} says besides the words: which database, and how long strings may be. */
    private void begin(MemorySegment memory, long offset) {
        database.select(Words.database(memory, offset));
        int maxValue = Words.maxValue(memory, offset);
        if (maxValue > Words.DEFAULT_MAX_VALUE && output().version() < LONG_VALUES_SINCE) {
            throw new IllegalArgumentException("strings have at most " + Words.DEFAULT_MAX_VALUE + " bytes");
        }
        database.maxValue(maxValue);
    }

    private void answer(Request command, Output to) {
        MemorySegment memory = command.memory();
        RedisCommand name = Words.command(memory, command.offset(), command.length());
        words.read(memory, command.offset(), command.length());
        begin(memory, command.offset());
        reply.begin(Words.protocol(memory, command.offset()));
        List<Place> changed = run(name, words, to.longest(session));
        to.reply(reply.memory(), 0, reply.length());
        blocked.serve(changed);
    }

    /**
     * Does a command, whose answer ends before {@code end}; an error takes the place of what was told until then. A
     * command that takes something away tells it first, so that one whose answer has no room changes nothing.
     */
    private List<Place> run(RedisCommand name, Words of, int end) {
        int before = reply.length();
        reply.limit(end);
        List<Place> changed;
        try {
            Handler handler = handlers.get(name);
            if (handler == null || isQuery && name.kind() == RedisCommand.Kind.WRITE) {
                throw new RedisError("ERR '" + name.text() + "' is not for here");
            }
            if (!reply.isThird() && channels.isListening(session) && !WHILE_LISTENING.contains(name)) {
                throw new RedisError("ERR Can't execute '" + name.text() + "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE "
                        + "/ PING / QUIT / RESET are allowed in this context");
            }
            if (name.kind() == RedisCommand.Kind.WRITE && !MAKE_ROOM.contains(name)) {
                server.requireRoom(() -> output().random().nextLong(Keyspace.END));
            }
            handler.run(of, reply);
        } catch (RedisError e) {
            tooLong = e == RedisError.ANSWER_TOO_LONG;
            reply.truncate(before);
            reply.limit(end);
            String text = e.text();
            reply.error(text.substring(0, Math.min(text.length(), end - before - LINE_BYTES)));
        } finally {
            changed = database.close();
        }
        return changed;
    }

    private void watch(Words of, Reply to) {
        List<Bytes> keys = new ArrayList<>();
        for (int i = 0; i < of.count(); i++) {
            keys.add(new Bytes(of.bytes(i)));
        }
        holdings.require(
                keys.stream().mapToLong(key -> Holdings.of(key.array().length)).sum());
        for (Bytes key : keys) {
            Place place = new Place(database.selected(), key);
            watches.add(session, place, database.version(place));
        }
        to.ok();
    }

    private void unwatch(Words of, Reply to) {
        watches.end(session);
        to.ok();
    }

    private void reset(Words of, Reply to) {
        watches.end(session);
        channels.end(session);
        to.simple("RESET");
    }

    private void swap(Words of, Reply to) {
        int one = database.number(of, 0, new RedisError("ERR invalid first DB index"));
        int other = database.number(of, 1, new RedisError("ERR invalid second DB index"));
        if (one != other) {
            database.swap(one, other);
            blocked.waited(one).forEach(database::changed);
            blocked.waited(other).forEach(database::changed);
        }
        to.ok();
    }

    private void ping(Words of, Reply to) {
        if (!to.isThird() && channels.isListening(session)) {
            to.array(2).bulk("pong").bulk(of.count() == 0 ? new byte[0] : of.bytes(0));
        } else if (of.count() == 0) {
            to.simple("PONG");
        } else {
            to.bulk(of.bytes(0));
        }
    }

    /**
     * The words are the payloads of the commands that were queued. If the answer of one has no room, then nothing is
     * done, unless something was changed before; in that case that one and all behind it are not done.
     */
    private void execute(Words of, Reply to) {
        if (!watches.endUnchanged(session, database::version)) {
            to.noArray();
            return;
        }
        blocked.mayWait(false);
        int end = to.limit();
        to.array(of.count()).require((long) of.count() * SHORT_BYTES);
        Set<Place> changed = new LinkedHashSet<>();
        boolean mayHaveChanged = false;
        boolean isFull = false;
        for (int i = 0; i < of.count(); i++) {
            if (isFull) {
                to.limit(end).error(NOT_DONE);
                continue;
            }
            RedisCommand name = Words.command(of.memory(), of.offset(i), of.length(i));
            inner.read(of.memory(), of.offset(i), of.length(i));
            begin(of.memory(), of.offset(i));
            tooLong = false;
            changed.addAll(run(name, inner, end - SHORT_BYTES * (of.count() - 1 - i)));
            isFull = tooLong;
            if (isFull && !mayHaveChanged) {
                throw new RedisError("EXECABORT Transaction discarded because its answer is too long to be told at "
                        + "once: ask for less");
            }
            mayHaveChanged |= name.kind() == RedisCommand.Kind.WRITE;
        }
        blocked.serve(List.copyOf(changed));
    }

    /** A timer has fired. */
    public void timer(long timer, Output to) {
        output = to;
        database.beginWrite(to.timeNanos() / NANOS_PER_MILLI);
        if (timer == SWEEP) {
            sweepAt = 0;
            boolean isLeft = database.sweep(SWEPT_BY_TIMER);
            scheduleSweep(isLeft ? 1 : SWEEP_MILLIS);
        } else {
            blocked.expire(timer);
        }
        releaseReaders(to);
    }

    /** A session has ended. */
    public void end(long ended, Output to) {
        output = to;
        watches.end(ended);
        channels.end(ended);
        blocked.end(ended);
    }

    /** Returns a hash of the keys, what they hold, and the settings. */
    public long hash() {
        return database.hash() * 31 + server.hash();
    }

    /** Writes all of it. */
    public void save(StateOutput to) {
        database.save(to);
        server.save(to);
        channels.save(to);
        blocked.save(to);
        to.writeLong(sweepAt);
        watches.save(to);
    }

    /** Gives the memory outside the heap back; nothing may follow. */
    @Override
    public void close() {
        database.free();
    }

    /** Reads what {@link #save} of that version has written, into an interpreter that is new. */
    public void load(StateInput input, int version) {
        database.load(input, version);
        server.load(input);
        channels.load(input);
        blocked.load(input);
        sweepAt = input.readLong();
        watches.load(input, version >= DATABASES_SINCE);
    }

    private Output output() {
        Output present = output;
        if (present == null) {
            throw new IllegalStateException("there is no command");
        }
        return present;
    }

    /** Reaches sessions by events, whose first byte says what they are. */
    private final class OutputSessions implements Sessions {
        private static final int KEPT_BYTES = 1 << 20;

        private byte[] bytes = new byte[256];

        @Override
        public long session() {
            return session;
        }

        @Override
        public int longest(long to) {
            return output().longest(to) - 1;
        }

        @Override
        public void push(long to, Reply message) {
            send(to, RespProtocol.PUSH, message);
        }

        @Override
        public void answer(long to, Reply message) {
            send(to, RespProtocol.ANSWER, message);
        }

        @Override
        public void wakeAt(long who, long atMillis) {
            output().schedule(who, atMillis * NANOS_PER_MILLI);
        }

        @Override
        public void cancelWake(long who) {
            output().cancel(who);
        }

        private void send(long to, byte kind, Reply message) {
            int length = 1 + message.length();
            byte[] into = bytes;
            if (into.length < length) {
                into = new byte[length];
                bytes = length > KEPT_BYTES ? bytes : into;
            }
            MemorySegment memory = MemorySegment.ofArray(into);
            into[0] = kind;
            MemorySegment.copy(message.memory(), 0, memory, 1, message.length());
            output().event(to, memory, 0, length);
        }
    }
}
