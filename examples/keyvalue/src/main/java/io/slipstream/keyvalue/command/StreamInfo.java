package io.slipstream.keyvalue.command;

import io.slipstream.keyvalue.argument.StreamWords;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Reply;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.keyvalue.value.Bytes;
import io.slipstream.keyvalue.value.StreamGroup;
import io.slipstream.keyvalue.value.StreamGroup.Consumer;
import io.slipstream.keyvalue.value.StreamGroup.Pending;
import io.slipstream.keyvalue.value.StreamId;
import io.slipstream.keyvalue.value.StreamValue;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The command XINFO. There are no radix trees: what it tells of them is that of a small stream. */
final class StreamInfo {
    private static final long DEFAULT_COUNT = 10;

    private final Database database;

    StreamInfo(Database database, Map<RedisCommand, Handler> handlers) {
        this.database = database;
        handlers.put(RedisCommand.XINFO, this::info);
    }

    private void info(Words words, Reply reply) {
        String name = words.text(0).toLowerCase(Locale.ROOT);
        int count = words.count();
        boolean takes = switch (name) {
            case "stream" -> count >= 2;
            case "groups" -> count == 2;
            case "consumers" -> count == 3;
            default -> throw new RedisError("ERR unknown subcommand '" + words.quoted(0) + "'. Try XINFO HELP.");
        };
        if (!takes) {
            throw new RedisError("ERR wrong number of arguments for 'xinfo|" + name + "' command");
        }
        StreamValue stream = database.read(words, 1, StreamValue.class);
        if (stream == null) {
            throw RedisError.NO_SUCH_KEY;
        }
        switch (name) {
            case "stream" -> stream(words, stream, reply);
            case "groups" -> groups(stream, reply);
            default -> consumers(words, stream, reply);
        }
    }

    private static void stream(Words words, StreamValue stream, Reply reply) {
        if (words.count() == 2) {
            reply.map(10);
            head(stream, reply);
            reply.bulk("groups").integer(stream.groups().size()).bulk("first-entry");
            end(stream.entries().firstEntry(), reply);
            reply.bulk("last-entry");
            end(stream.entries().lastEntry(), reply);
            return;
        }
        boolean isFull = words.is(2, "FULL");
        if (!isFull || words.count() != 3 && !(words.count() == 5 && words.is(3, "COUNT"))) {
            throw new RedisError("ERR unknown subcommand or wrong number of arguments for '" + words.quoted(0)
                    + "'. Try XINFO HELP.");
        }
        long asked = words.count() == 5 ? words.number(4) : DEFAULT_COUNT;
        long most = asked < 0 ? DEFAULT_COUNT : asked == 0 ? Long.MAX_VALUE : asked;
        reply.map(9);
        head(stream, reply);
        reply.bulk("entries");
        StreamWords.tell(stream.entries(), most, reply);
        reply.bulk("groups").array(stream.groups().size());
        stream.groups().forEach((name, group) -> full(name, stream, group, most, reply));
    }

    private static void head(StreamValue stream, Reply reply) {
        boolean isEmpty = stream.entries().isEmpty();
        reply.bulk("length")
                .integer(stream.size())
                .bulk("radix-tree-keys")
                .integer(isEmpty ? 0 : 1)
                .bulk("radix-tree-nodes")
                .integer(isEmpty ? 1 : 2)
                .bulk("last-generated-id");
        StreamWords.tell(stream.last(), reply);
        reply.bulk("max-deleted-entry-id");
        StreamWords.tell(stream.lastDeleted(), reply);
        reply.bulk("entries-added").integer(stream.added()).bulk("recorded-first-entry-id");
        StreamWords.tell(isEmpty ? StreamId.ZERO : stream.entries().firstKey(), reply);
    }

    private static void end(Map.@Nullable Entry<StreamId, List<Bytes>> entry, Reply reply) {
        if (entry == null) {
            reply.nothing();
        } else {
            StreamWords.tell(entry.getKey(), entry.getValue(), reply);
        }
    }

    private static void orNothing(long number, Reply reply) {
        if (number == StreamGroup.UNKNOWN) {
            reply.nothing();
        } else {
            reply.integer(number);
        }
    }

    private static void full(Bytes name, StreamValue stream, StreamGroup group, long most, Reply reply) {
        reply.map(7).bulk("name").bulk(name.array()).bulk("last-delivered-id");
        StreamWords.tell(group.lastDelivered(), reply);
        reply.bulk("entries-read");
        orNothing(group.read(), reply);
        reply.bulk("lag");
        stream.lag(group).ifPresentOrElse(reply::integer, reply::nothing);
        reply.bulk("pel-count").integer(group.pending().size()).bulk("pending");
        pending(group.pending().values(), most, true, reply);
        reply.bulk("consumers").array(group.consumers().size());
        for (Consumer each : group.consumers()) {
            reply.map(4)
                    .bulk("name")
                    .bulk(each.name().array())
                    .bulk("seen-time")
                    .integer(each.seenMillis())
                    .bulk("pel-count")
                    .integer(each.pending().size())
                    .bulk("pending");
            pending(each.pending().values(), most, false, reply);
        }
    }

    private static void pending(Collection<Pending> all, long most, boolean tellsConsumer, Reply reply) {
        List<Pending> some = all.stream().limit(most).toList();
        reply.array(some.size());
        for (Pending each : some) {
            reply.array(tellsConsumer ? 4 : 3);
            StreamWords.tell(each.id(), reply);
            if (tellsConsumer) {
                reply.bulk(each.consumer().name().array());
            }
            reply.integer(each.atMillis()).integer(each.count());
        }
    }

    private static void groups(StreamValue stream, Reply reply) {
        reply.array(stream.groups().size());
        stream.groups().forEach((name, group) -> {
            reply.map(6)
                    .bulk("name")
                    .bulk(name.array())
                    .bulk("consumers")
                    .integer(group.consumers().size())
                    .bulk("pending")
                    .integer(group.pending().size())
                    .bulk("last-delivered-id");
            StreamWords.tell(group.lastDelivered(), reply);
            reply.bulk("entries-read");
            orNothing(group.read(), reply);
            reply.bulk("lag");
            stream.lag(group).ifPresentOrElse(reply::integer, reply::nothing);
        });
    }

    private void consumers(Words words, StreamValue stream, Reply reply) {
        Bytes name = new Bytes(words.bytes(2));
        StreamGroup group = stream.group(name);
        if (group == null) {
            throw new RedisError(
                    "NOGROUP No such consumer group '" + words.quoted(2) + "' for key name '" + words.quoted(1) + "'");
        }
        reply.array(group.consumers().size());
        for (Consumer each : group.consumers()) {
            reply.map(3)
                    .bulk("name")
                    .bulk(each.name().array())
                    .bulk("pending")
                    .integer(each.pending().size())
                    .bulk("idle")
                    .integer(Math.max(0, database.nowMillis() - each.seenMillis()));
        }
    }
}
