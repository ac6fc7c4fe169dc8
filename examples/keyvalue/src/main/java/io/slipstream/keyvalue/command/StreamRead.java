package io.slipstream.keyvalue.command;

import io.slipstream.keyvalue.argument.StreamWords;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Reply;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.keyvalue.value.Bytes;
import io.slipstream.keyvalue.value.StreamGroup;
import io.slipstream.keyvalue.value.StreamId;
import io.slipstream.keyvalue.value.StreamValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** What XREAD or XREADGROUP asks for. */
final class StreamRead {
    private final Database database;
    private final boolean ofGroup;
    private long blockMillis = -1;
    private long count;
    private @Nullable Bytes group;
    private Bytes consumer = Bytes.of("");
    private boolean isAcknowledged;
    private final int firstId;
    private final List<Bytes> keys = new ArrayList<>();

    /* What each key was read up to; MAX for what its group has not read yet. */
    private final List<StreamId> after = new ArrayList<>();

    /** Entries of a stream that are told. */
    private record Served(
            Bytes key, StreamValue stream, @Nullable StreamGroup group, boolean isHistory, List<StreamId> ids) {}

    /** Reads the words; what they name has to be there, unless it was asked for earlier. */
    StreamRead(boolean ofGroup, Words words, Database database, boolean isNew) {
        this.database = database;
        this.ofGroup = ofGroup;
        int streams = options(words);
        int each = (words.count() - streams) / 2;
        firstId = streams + each;
        for (int i = 0; i < each; i++) {
            Bytes key = new Bytes(words.bytes(streams + i));
            keys.add(key);
            if (isNew) {
                requireReadable(key);
            }
            after.add(after(words, firstId + i, key));
        }
    }

    /** Returns the place of the first key. */
    private int options(Words words) {
        for (int i = 0; i < words.count(); i++) {
            int more = words.count() - 1 - i;
            if (words.is(i, "BLOCK") && more > 0) {
                blockMillis = words.number(++i, new RedisError("ERR timeout is not an integer or out of range"));
                if (blockMillis < 0) {
                    throw new RedisError("ERR timeout is negative");
                }
                if (blockMillis > Long.MAX_VALUE - database.nowMillis()) {
                    throw new RedisError("ERR timeout is out of range");
                }
            } else if (words.is(i, "COUNT") && more > 0) {
                count = Math.max(0, words.number(++i));
            } else if (words.is(i, "STREAMS") && more > 0) {
                if (more % 2 != 0) {
                    throw new RedisError("ERR Unbalanced XREAD list of streams: for each stream key an ID or '$' must "
                            + "be specified.");
                }
                if (ofGroup && group == null) {
                    throw new RedisError("ERR Missing GROUP option for XREADGROUP");
                }
                return i + 1;
            } else if (words.is(i, "GROUP") && more > 1) {
                requireGroups("GROUP");
                group = new Bytes(words.bytes(i + 1));
                consumer = new Bytes(words.bytes(i + 2));
                i += 2;
            } else if (words.is(i, "NOACK")) {
                requireGroups("NOACK");
                isAcknowledged = true;
            } else {
                throw RedisError.SYNTAX;
            }
        }
        throw RedisError.SYNTAX;
    }

    private void requireGroups(String option) {
        if (!ofGroup) {
            throw new RedisError(
                    "ERR The " + option + " option is only supported by XREADGROUP. You called XREAD instead.");
        }
    }

    private void requireReadable(Bytes key) {
        StreamValue stream = database.read(key, StreamValue.class);
        if (ofGroup && (stream == null || stream.group(named()) == null)) {
            throw noGroup(key, named(), " in XREADGROUP with GROUP option");
        }
    }

    private StreamId after(Words words, int i, Bytes key) {
        if (words.is(i, "$")) {
            if (ofGroup) {
                throw new RedisError("ERR The $ ID is meaningless in the context of XREADGROUP: you want to read the "
                        + "history of this consumer by specifying a proper ID, or use the > ID to get new messages. "
                        + "The $ ID would just return an empty result set.");
            }
            StreamValue stream = database.read(key, StreamValue.class);
            return stream == null ? StreamId.ZERO : stream.last();
        }
        if (words.is(i, ">")) {
            if (!ofGroup) {
                throw new RedisError("ERR The > ID can be specified only when calling XREADGROUP using the GROUP "
                        + "<group> <consumer> option.");
            }
            return StreamId.MAX;
        }
        return StreamWords.id(words, i, 0);
    }

    private Bytes named() {
        return group == null ? Bytes.of("") : group;
    }

    static RedisError noGroup(Bytes key, Bytes group, String where) {
        return new RedisError("NOGROUP No such key '" + Words.upToZero(key.text()) + "' or consumer group '"
                + Words.upToZero(group.text()) + "'" + where);
    }

    /** Returns whether it waits if there is nothing. */
    boolean mayWait() {
        return blockMillis >= 0;
    }

    /** Returns the payload of the same command that, at any later time, asks for what comes from now on. */
    byte[] payload(Words words) {
        List<byte[]> ids = new ArrayList<>();
        for (StreamId each : after) {
            String text = ofGroup && each.equals(StreamId.MAX) ? ">" : each.toString();
            ids.add(text.getBytes(StandardCharsets.US_ASCII));
        }
        return words.payload(firstId, ids);
    }

    /** Tells what is there of all streams; returns false if that is nothing. */
    boolean serve(Reply reply) {
        List<Served> served = new ArrayList<>();
        // One that is named twice goes on from where the first time will have ended.
        Map<Bytes, StreamId> reached = new HashMap<>();
        for (int i = 0; i < keys.size(); i++) {
            Bytes key = keys.get(i);
            StreamValue stream =
                    ofGroup ? database.write(key, StreamValue.class) : database.read(key, StreamValue.class);
            Served found = stream == null ? null : look(key, stream, after.get(i), reached.get(key));
            if (found != null) {
                served.add(found);
                if (found.group != null && !found.isHistory) {
                    reached.put(key, found.ids.getLast());
                }
            }
        }
        if (served.isEmpty()) {
            return false;
        }
        answer(served, reply);
        return true;
    }

    private @Nullable Served look(Bytes key, StreamValue stream, StreamId behind, @Nullable StreamId reached) {
        StreamGroup of = ofGroup ? stream.group(named()) : null;
        if (ofGroup && of == null) {
            throw new RedisError("NOGROUP the consumer group this client was blocked on no longer exists");
        }
        if (of != null && !behind.equals(StreamId.MAX)) {
            StreamGroup.Consumer own = of.consumer(consumer);
            return new Served(key, stream, of, true, own == null ? List.of() : ids(own.pending(), behind));
        }
        StreamId from = of == null ? behind : reached == null ? of.lastDelivered() : reached;
        return StreamWords.hasAfter(stream, from)
                ? new Served(key, stream, of, false, ids(stream.entries(), from))
                : null;
    }

    private List<StreamId> ids(SortedMap<StreamId, ?> all, StreamId behind) {
        List<StreamId> ids = new ArrayList<>();
        StreamId from = behind.next();
        if (from != null) {
            for (StreamId each : all.tailMap(from).keySet()) {
                if (count > 0 && ids.size() == count) {
                    break;
                }
                ids.add(each);
            }
        }
        return ids;
    }

    /** Tells all before any of it counts as delivered: an answer that has no room changes nothing. */
    private void answer(List<Served> served, Reply reply) {
        if (reply.isThird()) {
            reply.map(served.size());
        } else {
            reply.array(served.size());
        }
        for (Served each : served) {
            if (!reply.isThird()) {
                reply.array(2);
            }
            reply.bulk(each.key.array()).array(each.ids.size());
            each.ids.forEach(id -> StreamWords.tell(id, each.stream.entries().get(id), reply));
        }
        served.forEach(this::deliver);
    }

    private void deliver(Served served) {
        StreamGroup to = served.group;
        if (to == null) {
            return;
        }
        long now = database.nowMillis();
        StreamGroup.Consumer reader = to.seen(consumer, now);
        for (StreamId id : served.ids) {
            if (served.isHistory) {
                StreamGroup.Pending former = reader.pending().get(id);
                if (former != null && served.stream.entries().containsKey(id)) {
                    to.deliver(id, reader, now, former.count() + 1);
                }
            } else {
                served.stream.advance(to, id);
                if (!isAcknowledged) {
                    to.deliver(id, reader, now, 1);
                }
            }
        }
    }

    /** Returns what it waits for: the first of its streams that has something. */
    Pop<StreamValue> pop() {
        Map<Bytes, StreamId> behind = new LinkedHashMap<>();
        for (int i = 0; i < keys.size(); i++) {
            behind.putIfAbsent(keys.get(i), after.get(i));
        }
        return new Pop<>(
                List.copyOf(behind.keySet()),
                StreamValue.class,
                (key, stream) -> isReady(stream, behind.getOrDefault(key, StreamId.MAX)),
                blockMillis / 1000.0,
                (key, stream, reply) -> {
                    Served found = look(key, stream, behind.getOrDefault(key, StreamId.MAX), null);
                    answer(found == null ? List.of() : List.of(found), reply);
                });
    }

    private boolean isReady(StreamValue stream, StreamId behind) {
        if (!ofGroup) {
            return StreamWords.hasAfter(stream, behind);
        }
        StreamGroup of = stream.group(named());
        return of == null || StreamWords.hasAfter(stream, of.lastDelivered());
    }
}
