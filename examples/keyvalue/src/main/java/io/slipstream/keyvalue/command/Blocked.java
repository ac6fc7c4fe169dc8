package io.slipstream.keyvalue.command;

import io.slipstream.keyvalue.memory.Place;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Reply;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.keyvalue.session.Holdings;
import io.slipstream.keyvalue.value.Bytes;
import io.slipstream.keyvalue.value.StreamValue;
import io.slipstream.keyvalue.value.Value;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The commands that pop from the first of some keys, and who waits for which keys, in the order in which they came. A
 * command that has to wait is answered with nothing, which no other is; what it waited for follows as an event.
 */
final class Blocked {
    private static final Set<RedisCommand> WITHOUT_WAITING = Set.of(RedisCommand.LMPOP, RedisCommand.ZMPOP);
    private static final Set<RedisCommand> ELSEWHERE = Set.of(RedisCommand.XREAD, RedisCommand.XREADGROUP);
    private static final Set<RedisCommand> OF_ONE_ELEMENT = Set.of(RedisCommand.BLMOVE, RedisCommand.BRPOPLPUSH);

    private final Database database;
    private final Sessions sessions;
    private final Holdings holdings;
    private final Map<Long, Waiter> waiters = new LinkedHashMap<>();
    private final Map<Place, Set<Long>> byPlace = new HashMap<>();
    private long looks;
    private final Reply answer = new Reply();
    private boolean waits;

    /** One who waits: the payload of its command, and what that asks for. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Waiter(byte[] payload, Pop<?> pop) {
        int protocol() {
            return Words.protocol(MemorySegment.ofArray(payload), 0);
        }

        boolean isOfGroup() {
            return Words.command(MemorySegment.ofArray(payload), 0, payload.length) == RedisCommand.XREADGROUP;
        }

        List<Place> places() {
            int database = Words.database(MemorySegment.ofArray(payload), 0);
            return pop.keys().stream().map(key -> new Place(database, key)).toList();
        }

        /** Its keys are in the payload, too. */
        long weight() {
            return pop.keys().stream()
                            .mapToLong(key -> Holdings.of(key.array().length))
                            .sum()
                    + payload.length;
        }
    }

    Blocked(Database database, Sessions sessions, Holdings holdings, Map<RedisCommand, Handler> handlers) {
        this.database = database;
        this.sessions = sessions;
        this.holdings = holdings;
        WITHOUT_WAITING.forEach(each -> handlers.put(each, (words, reply) -> pop(each, words, reply)));
        for (RedisCommand each : RedisCommand.values()) {
            if (each.mayWait() && !ELSEWHERE.contains(each)) {
                handlers.put(each, (words, reply) -> pop(each, words, reply));
            }
        }
        handlers.put(RedisCommand.CLIENT, this::unblock);
    }

    /** Returns how many clients wait. */
    int count() {
        return waiters.size();
    }

    /** Says whether commands may wait; within a transaction none does. */
    void mayWait(boolean may) {
        waits = may;
    }

    private void pop(RedisCommand command, Words words, Reply reply) {
        Pop<?> pop = Pop.of(command, words, database);
        for (Bytes key : pop.keys()) {
            if (take(pop, key, reply)) {
                return;
            }
        }
        if (!waits && OF_ONE_ELEMENT.contains(command)) {
            reply.nothing();
        } else if (!waits || WITHOUT_WAITING.contains(command)) {
            reply.noArray();
        } else {
            begin(new Waiter(words.payload(), pop));
        }
    }

    /** Lets the client wait for entries of streams; returns false if it may not. */
    boolean beginWait(StreamRead read, Words words) {
        if (waits) {
            begin(new Waiter(read.payload(words), read.pop()));
        }
        return waits;
    }

    private void begin(Waiter waiter) {
        holdings.require(waiter.weight());
        long session = sessions.session();
        add(session, waiter);
        double seconds = waiter.pop.seconds();
        if (seconds > 0) {
            sessions.wakeAt(session, database.nowMillis() + Math.max(1, (long) (seconds * 1000)));
        }
    }

    /** A session that waits already, which the native protocol allows, waits for the new keys only. */
    private void add(long session, Waiter waiter) {
        if (remove(session) != null) {
            sessions.cancelWake(session);
        }
        waiters.put(session, waiter);
        holdings.add(waiter.weight());
        waiter.places()
                .forEach(place -> byPlace.computeIfAbsent(place, p -> new LinkedHashSet<>())
                        .add(session));
    }

    private @Nullable Waiter remove(long session) {
        Waiter waiter = waiters.remove(session);
        if (waiter != null) {
            holdings.remove(waiter.weight());
            for (Place place : waiter.places()) {
                Set<Long> others = byPlace.get(place);
                if (others != null) {
                    others.remove(session);
                    if (others.isEmpty()) {
                        byPlace.remove(place);
                    }
                }
            }
        }
        return waiter;
    }

    /** Returns how often it was looked whether somebody who waits can be served: a measure of cost. */
    long looks() {
        return looks;
    }

    private <V extends Value> boolean take(Pop<V> pop, Bytes key, Reply reply) {
        V value = database.write(key, pop.type());
        if (value != null) {
            pop.take().take(key, value, reply);
        }
        return value != null;
    }

    /** Serves those who wait for the keys that were changed, first come first served. */
    void serve(List<Place> changed) {
        if (waiters.isEmpty() || changed.isEmpty()) {
            return;
        }
        Deque<Place> ready = new ArrayDeque<>(changed);
        for (Place place = ready.poll(); place != null; place = ready.poll()) {
            database.select(place.database());
            for (Long session = next(place); session != null; session = next(place)) {
                Waiter waiter = remove(session);
                if (waiter != null) {
                    sessions.cancelWake(session);
                    // A list that was moved to may be waited for too.
                    ready.addAll(serve(session, waiter, place.key()));
                }
            }
        }
    }

    /** Ends the waits of those who read as a group from a stream that was lost: so is the group. */
    void releaseReaders() {
        if (!waiters.isEmpty()) {
            List<Place> lost = new ArrayList<>(database.lostStreams());
            for (int number : database.lostDatabases()) {
                lost.addAll(waited(number));
            }
            lost.forEach(this::releaseReaders);
        }
        database.forgetLost();
    }

    private void releaseReaders(Place place) {
        Set<Long> waiting = byPlace.get(place);
        if (waiting == null) {
            return;
        }
        database.select(place.database());
        if (database.collection(place.key()) instanceof StreamValue) {
            return;
        }
        for (Long session : List.copyOf(waiting)) {
            Waiter waiter = waiters.get(session);
            if (waiter != null && waiter.isOfGroup()) {
                remove(session);
                sessions.cancelWake(session);
                sessions.answer(
                        session, answer.begin(waiter.protocol()).error("UNBLOCKED the stream key no longer exists"));
            }
        }
    }

    /** Returns the first of those who wait for a key that can be served, or null. */
    private @Nullable Long next(Place place) {
        Set<Long> waiting = byPlace.get(place);
        Value value = waiting == null ? null : database.collection(place.key());
        if (waiting == null || value == null) {
            return null;
        }
        for (Long session : waiting) {
            looks++;
            Waiter waiter = waiters.get(session);
            if (waiter != null && waiter.pop.isReady(place.key(), value)) {
                return session;
            }
        }
        return null;
    }

    /** Returns the keys of a database that somebody waits for. */
    List<Place> waited(int number) {
        return byPlace.keySet().stream()
                .filter(place -> place.database() == number)
                .sorted()
                .toList();
    }

    private List<Place> serve(long session, Waiter waiter, Bytes key) {
        answer.begin(waiter.protocol()).limit(sessions.longest(session));
        try {
            take(waiter.pop, key, answer);
        } catch (RedisError e) {
            answer.begin(waiter.protocol()).error(e.text());
        }
        List<Place> changed = database.close();
        sessions.answer(session, answer);
        return changed;
    }

    /** The time of one who waits is over. */
    void expire(long session) {
        Waiter waiter = remove(session);
        if (waiter != null) {
            sessions.answer(session, answer.begin(waiter.protocol()).noArray());
        }
    }

    /** CLIENT UNBLOCK, the only form of CLIENT that is in the log. */
    private void unblock(Words words, Reply reply) {
        if (!words.is(0, "UNBLOCK") || words.count() < 2 || words.count() > 3) {
            throw RedisError.SYNTAX;
        }
        boolean asError = words.count() == 3 && words.is(2, "ERROR");
        if (words.count() == 3 && !asError && !words.is(2, "TIMEOUT")) {
            throw new RedisError("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR");
        }
        long session = words.number(1);
        Waiter waiter = remove(session);
        reply.flag(waiter != null);
        if (waiter != null) {
            sessions.cancelWake(session);
            answer.begin(waiter.protocol());
            sessions.answer(
                    session,
                    asError ? answer.error("UNBLOCKED client unblocked via CLIENT UNBLOCK") : answer.noArray());
        }
    }

    /** A session has ended. */
    void end(long session) {
        if (remove(session) != null) {
            sessions.cancelWake(session);
        }
    }

    void save(StateOutput output) {
        output.writeInt(waiters.size());
        waiters.forEach((session, waiter) -> {
            output.writeLong(session);
            output.writeBytes(waiter.payload);
        });
    }

    void load(StateInput input) {
        Words words = new Words();
        for (int left = input.readInt(); left > 0; left--) {
            long session = input.readLong();
            byte[] payload = input.readBytes();
            MemorySegment memory = MemorySegment.ofArray(payload);
            words.read(memory, 0, payload.length);
            database.select(Words.database(memory, 0));
            add(session, new Waiter(payload, Pop.of(Words.command(memory, 0, payload.length), words, database)));
        }
    }
}
