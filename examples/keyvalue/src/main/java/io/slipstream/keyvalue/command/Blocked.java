package io.slipstream.keyvalue.command;

import io.slipstream.keyvalue.resp.Numbers;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Reply;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.keyvalue.value.Bytes;
import io.slipstream.keyvalue.value.ListValue;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * BLPOP and BRPOP: who waits for which lists, in the order in which they came. A command that has to wait is answered
 * with nothing, which no other is; what it waited for follows as an event.
 */
final class Blocked {
    private final Database database;
    private final Sessions sessions;
    private final Map<Long, Waiter> waiters = new LinkedHashMap<>();
    private final Reply answer = new Reply();
    private boolean waits;

    /** One who waits. */
    private record Waiter(List<Bytes> keys, boolean left, int protocol) {
    }

    Blocked(Database database, Sessions sessions, Map<RedisCommand, Handler> handlers) {
        this.database = database;
        this.sessions = sessions;
        handlers.put(RedisCommand.BLPOP, (words, reply) -> pop(words, reply, true));
        handlers.put(RedisCommand.BRPOP, (words, reply) -> pop(words, reply, false));
    }

    /** Returns how many clients wait. */
    int count() {
        return waiters.size();
    }

    /** Says whether commands may wait; within a transaction none does. */
    void mayWait(boolean may) {
        waits = may;
    }

    private void pop(Words words, Reply reply, boolean left) {
        int last = words.count() - 1;
        double seconds = Numbers.parseDouble(words.text(last),
                new RedisError("ERR timeout is not a float or out of range"));
        if (seconds < 0) {
            throw new RedisError("ERR timeout is negative");
        }
        if (seconds > Integer.MAX_VALUE) {
            throw new RedisError("ERR timeout is out of range");
        }
        for (int i = 0; i < last; i++) {
            ListValue list = database.write(words, i, ListValue.class);
            if (list != null) {
                reply.array(2).bulk(words.bytes(i)).bulk(Lists.pop(list, left));
                return;
            }
        }
        if (!waits) {
            reply.noArray();
            return;
        }
        List<Bytes> keys = new ArrayList<>();
        for (int i = 0; i < last; i++) {
            keys.add(new Bytes(words.bytes(i)));
        }
        waiters.put(sessions.session(), new Waiter(keys, left, reply.isThird() ? 3 : 2));
        if (seconds > 0) {
            sessions.wakeAt(sessions.session(), database.nowMillis() + Math.max(1, (long) (seconds * 1000)));
        }
    }

    /** Serves those who wait for the lists that were changed, first come first served. */
    void serve(List<Bytes> changed) {
        if (waiters.isEmpty()) {
            return;
        }
        for (Bytes key : changed) {
            for (Map.Entry<Long, Waiter> each : List.copyOf(waiters.entrySet())) {
                if (each.getValue().keys.contains(key) && serve(each.getKey(), each.getValue(), key)) {
                    waiters.remove(each.getKey());
                    sessions.cancelWake(each.getKey());
                }
            }
        }
    }

    private boolean serve(long session, Waiter waiter, Bytes key) {
        byte[] element = database.pop(key, waiter.left);
        if (element == null) {
            return false;
        }
        sessions.answer(session, answer.begin(waiter.protocol).array(2).bulk(key.array()).bulk(element));
        return true;
    }

    /** The time of one who waits is over. */
    void expire(long session) {
        Waiter waiter = waiters.remove(session);
        if (waiter != null) {
            sessions.answer(session, answer.begin(waiter.protocol).noArray());
        }
    }

    /** A session has ended. */
    void end(long session) {
        if (waiters.remove(session) != null) {
            sessions.cancelWake(session);
        }
    }

    void save(StateOutput output) {
        output.writeInt(waiters.size());
        waiters.forEach((session, waiter) -> {
            output.writeLong(session);
            output.writeBoolean(waiter.left);
            output.writeInt(waiter.protocol);
            output.writeInt(waiter.keys.size());
            waiter.keys.forEach(key -> output.writeBytes(key.array()));
        });
    }

    void load(StateInput input) {
        for (int left = input.readInt(); left > 0; left--) {
            long session = input.readLong();
            boolean fromLeft = input.readBoolean();
            int protocol = input.readInt();
            List<Bytes> keys = new ArrayList<>();
            for (int count = input.readInt(); count > 0; count--) {
                keys.add(new Bytes(input.readBytes()));
            }
            waiters.put(session, new Waiter(keys, fromLeft, protocol));
        }
    }
}
