package io.slipstream.keyvalue.command;

import io.slipstream.keyvalue.argument.StreamWords;
import io.slipstream.keyvalue.argument.Trim;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Reply;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.keyvalue.value.Bytes;
import io.slipstream.keyvalue.value.StreamId;
import io.slipstream.keyvalue.value.StreamValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** The commands of streams, but for those of groups. */
final class Streams {
    private final Database database;
    private final Blocked blocked;

    Streams(Database database, Blocked blocked, Map<RedisCommand, Handler> handlers) {
        this.database = database;
        this.blocked = blocked;
        handlers.put(RedisCommand.XADD, this::add);
        handlers.put(RedisCommand.XLEN, this::length);
        handlers.put(RedisCommand.XRANGE, (words, reply) -> range(words, reply, false));
        handlers.put(RedisCommand.XREVRANGE, (words, reply) -> range(words, reply, true));
        handlers.put(RedisCommand.XDEL, this::delete);
        handlers.put(RedisCommand.XTRIM, this::trim);
        handlers.put(RedisCommand.XSETID, this::setId);
        handlers.put(RedisCommand.XREAD, (words, reply) -> read(words, reply, false));
        handlers.put(RedisCommand.XREADGROUP, (words, reply) -> read(words, reply, true));
    }

    private void add(Words words, Reply reply) {
        Trim.Options options = Trim.Options.of(words, true);
        int first = options.next() + 1;
        if (words.count() - first < 2 || (words.count() - first) % 2 != 0) {
            throw new RedisError("ERR wrong number of arguments for 'xadd' command");
        }
        if (StreamWords.isId(words, options.next())
                && StreamWords.id(words, options.next(), 0).equals(StreamId.ZERO)) {
            throw new RedisError("ERR The ID specified in XADD must be greater than 0-0");
        }
        StreamValue stream = database.write(words, 0, StreamValue.class);
        if (stream == null && options.makesNone()) {
            reply.nothing();
            return;
        }
        StreamId last = stream == null ? StreamId.ZERO : stream.last();
        if (last.equals(StreamId.MAX)) {
            throw new RedisError("ERR The stream has exhausted the last possible ID, unable to add more items");
        }
        StreamId id = newId(words, options.next(), last);
        if (id == null || !id.isAfter(last)) {
            throw new RedisError("ERR The ID specified in XADD is equal or smaller than the target stream top item");
        }
        List<Bytes> pairs = new ArrayList<>();
        for (int i = first; i < words.count(); i++) {
            pairs.add(new Bytes(words.bytes(i)));
        }
        StreamValue to = stream == null ? database.write(words, 0, StreamValue.class, StreamValue::new) : stream;
        to.add(id, List.copyOf(pairs));
        options.trim().apply(to);
        StreamWords.tell(id, reply);
    }

    /** Returns the id that a word asks for, or null if there is none that follows. */
    private @Nullable StreamId newId(Words words, int i, StreamId last) {
        String text = words.text(i);
        if (text.equals("*")) {
            StreamId now = new StreamId(database.nowMillis(), 0);
            return Long.compareUnsigned(now.millis(), last.millis()) > 0 ? now : last.next();
        }
        if (!text.endsWith("-*")) {
            return StreamWords.id(words, i, 0);
        }
        long millis = StreamWords.number(text.substring(0, text.length() - 2));
        if (millis != last.millis()) {
            return new StreamId(millis, 0);
        }
        return last.sequence() == -1 ? null : last.next();
    }

    private void length(Words words, Reply reply) {
        StreamValue stream = database.read(words, 0, StreamValue.class);
        reply.integer(stream == null ? 0 : stream.size());
    }

    private void range(Words words, Reply reply, boolean fromBehind) {
        StreamId first;
        StreamId last;
        if (fromBehind) {
            first = StreamWords.first(words, 2);
            last = StreamWords.last(words, 1);
        } else {
            first = StreamWords.first(words, 1);
            last = StreamWords.last(words, 2);
        }
        long count = Long.MAX_VALUE;
        for (int i = 3; i < words.count(); i += 2) {
            if (i + 1 == words.count() || !words.is(i, "COUNT")) {
                throw RedisError.SYNTAX;
            }
            count = Math.max(0, words.number(i + 1));
        }
        StreamValue stream = database.read(words, 0, StreamValue.class);
        if (stream == null || count > 0 && first.isAfter(last)) {
            reply.array(0);
        } else if (count == 0) {
            reply.noArray();
        } else {
            NavigableMap<StreamId, List<Bytes>> entries = stream.entries().subMap(first, true, last, true);
            StreamWords.tell(fromBehind ? entries.descendingMap() : entries, count, reply);
        }
    }

    private void delete(Words words, Reply reply) {
        StreamValue stream = database.write(words, 0, StreamValue.class);
        if (stream == null) {
            reply.integer(0);
            return;
        }
        List<StreamId> ids = ids(words, 1, words.count());
        int deleted = 0;
        for (StreamId each : ids) {
            deleted += stream.remove(each) ? 1 : 0;
        }
        reply.integer(deleted);
    }

    static List<StreamId> ids(Words words, int from, int to) {
        List<StreamId> ids = new ArrayList<>();
        for (int i = from; i < to; i++) {
            ids.add(StreamWords.id(words, i, 0));
        }
        return ids;
    }

    private void trim(Words words, Reply reply) {
        Trim trim = Trim.Options.of(words, false).trim();
        StreamValue stream = database.write(words, 0, StreamValue.class);
        reply.integer(stream == null ? 0 : trim.apply(stream));
    }

    private void setId(Words words, Reply reply) {
        StreamId id = StreamWords.id(words, 1, 0);
        StreamId deleted = StreamId.ZERO;
        long added = -1;
        for (int i = 2; i < words.count(); i += 2) {
            if (i + 1 == words.count()) {
                throw RedisError.SYNTAX;
            }
            if (words.is(i, "ENTRIESADDED")) {
                added = words.number(i + 1);
                if (added < 0) {
                    throw new RedisError("ERR entries_added must be positive");
                }
            } else if (words.is(i, "MAXDELETEDID")) {
                deleted = StreamWords.id(words, i + 1, 0);
                requireNotSmaller(id, deleted, "the provided max_deleted_entry_id");
            } else {
                throw RedisError.SYNTAX;
            }
        }
        StreamValue stream = database.write(words, 0, StreamValue.class);
        if (stream == null) {
            throw RedisError.NO_SUCH_KEY;
        }
        if (!stream.entries().isEmpty()) {
            requireNotSmaller(id, stream.entries().lastKey(), "the target stream top item");
            if (added >= 0 && stream.size() > added) {
                throw new RedisError(
                        "ERR The entries_added specified in XSETID is smaller than the target stream length");
            }
        }
        stream.remember(
                id, deleted.equals(StreamId.ZERO) ? stream.lastDeleted() : deleted, added < 0 ? stream.added() : added);
        reply.ok();
    }

    private static void requireNotSmaller(StreamId id, StreamId than, String what) {
        if (than.isAfter(id)) {
            throw new RedisError("ERR The ID specified in XSETID is smaller than " + what);
        }
    }

    private void read(Words words, Reply reply, boolean ofGroup) {
        StreamRead read = new StreamRead(ofGroup, words, database, true);
        if (!read.serve(reply) && !(read.mayWait() && blocked.beginWait(read, words))) {
            reply.noArray();
        }
    }
}
