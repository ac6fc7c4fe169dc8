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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The commands of groups that read streams, but for XREADGROUP. */
final class StreamGroups {
    private static final long DEFAULT_COUNT = 100;
    private static final int ATTEMPTS = 10;

    private final Database database;
    private final BooleanSupplier takesRims;

    /** A group, and the stream that it reads. */
    private record Of(StreamValue stream, StreamGroup group) {}

    /** {@code takesRims} says whether XGROUP SETID takes {@code -} and {@code +}. */
    StreamGroups(Database database, BooleanSupplier takesRims, Map<RedisCommand, Handler> handlers) {
        this.database = database;
        this.takesRims = takesRims;
        handlers.put(RedisCommand.XGROUP, this::manage);
        handlers.put(RedisCommand.XACK, this::acknowledge);
        handlers.put(RedisCommand.XPENDING, this::pending);
        handlers.put(RedisCommand.XCLAIM, this::claim);
        handlers.put(RedisCommand.XAUTOCLAIM, this::claimAny);
    }

    private static Bytes word(Words words, int i) {
        return new Bytes(words.bytes(i));
    }

    private void manage(Words words, Reply reply) {
        String name = words.text(0).toLowerCase(Locale.ROOT);
        int count = words.count();
        boolean takes = switch (name) {
            case "create", "setid" -> count >= 4;
            case "destroy" -> count == 3;
            case "createconsumer", "delconsumer" -> count == 4;
            default -> throw new RedisError("ERR unknown subcommand '" + words.quoted(0) + "'. Try XGROUP HELP.");
        };
        if (!takes) {
            throw new RedisError("ERR wrong number of arguments for 'xgroup|" + name + "' command");
        }
        boolean makesStream = false;
        long read = StreamGroup.UNKNOWN;
        for (int i = 4; i < count; i++) {
            if (name.equals("create") && words.is(i, "MKSTREAM")) {
                makesStream = true;
            } else if ((name.equals("create") || name.equals("setid")) && words.is(i, "ENTRIESREAD") && i + 1 < count) {
                read = words.number(++i);
                if (read < 0 && read != StreamGroup.UNKNOWN) {
                    throw new RedisError("ERR value for ENTRIESREAD must be positive or -1");
                }
            } else {
                throw new RedisError("ERR unknown subcommand or wrong number of arguments for '" + words.quoted(0)
                        + "'. Try XGROUP HELP.");
            }
        }
        StreamValue stream = database.write(words, 1, StreamValue.class);
        if (stream == null && !makesStream) {
            throw new RedisError("ERR The XGROUP subcommand requires the key to exist. Note that for CREATE you may "
                    + "want to use the MKSTREAM option to create an empty stream automatically.");
        }
        Bytes group = word(words, 2);
        if (name.equals("create")) {
            create(words, stream, group, read, reply);
        } else if (stream != null && name.equals("destroy")) {
            reply.flag(stream.removeGroup(group));
        } else if (stream != null) {
            StreamGroup present = stream.group(group);
            if (present == null) {
                throw new RedisError("NOGROUP No such consumer group '" + words.quoted(2) + "' for key name '"
                        + words.quoted(1) + "'");
            }
            manage(name, words, new Of(stream, present), read, reply);
        }
    }

    private void create(Words words, @Nullable StreamValue present, Bytes group, long read, Reply reply) {
        StreamId from = from(words, present);
        if (present != null && present.group(group) != null) {
            throw new RedisError("BUSYGROUP Consumer Group name already exists");
        }
        StreamValue stream = present == null ? database.write(words, 1, StreamValue.class, StreamValue::new) : present;
        stream.addGroup(group, from, read);
        reply.ok();
    }

    private static StreamId from(Words words, @Nullable StreamValue stream) {
        if (words.is(3, "$")) {
            return stream == null ? StreamId.ZERO : stream.last();
        }
        return StreamWords.id(words, 3, 0);
    }

    /** Returns where a group that is there goes; unlike one that is created, it may go to a rim of the ids. */
    private StreamId position(Words words, StreamValue stream) {
        boolean isRim = words.is(3, "-") || words.is(3, "+");
        return isRim && takesRims.getAsBoolean() ? StreamWords.first(words, 3) : from(words, stream);
    }

    private void manage(String name, Words words, Of of, long read, Reply reply) {
        switch (name) {
            case "setid" -> {
                of.group.seek(position(words, of.stream), read);
                reply.ok();
            }
            case "createconsumer" -> {
                boolean isNew = of.group.consumer(word(words, 3)) == null;
                if (isNew) {
                    of.group.seen(word(words, 3), database.nowMillis());
                }
                reply.flag(isNew);
            }
            default -> reply.integer(of.group.remove(word(words, 3)));
        }
    }

    private @Nullable Of find(Words words, boolean changes) {
        StreamValue stream =
                changes ? database.write(words, 0, StreamValue.class) : database.read(words, 0, StreamValue.class);
        StreamGroup group = stream == null ? null : stream.group(word(words, 1));
        return stream == null || group == null ? null : new Of(stream, group);
    }

    private Of require(Words words, boolean changes) {
        Of found = find(words, changes);
        if (found == null) {
            throw StreamRead.noGroup(word(words, 0), word(words, 1), "");
        }
        return found;
    }

    private void acknowledge(Words words, Reply reply) {
        Of of = find(words, true);
        if (of == null) {
            reply.integer(0);
            return;
        }
        int acknowledged = 0;
        for (StreamId each : Streams.ids(words, 2, words.count())) {
            acknowledged += of.group.acknowledge(each) ? 1 : 0;
        }
        reply.integer(acknowledged);
    }

    private void pending(Words words, Reply reply) {
        int count = words.count();
        if (count == 2) {
            summary(require(words, false).group, reply);
            return;
        }
        if (count < 5 || count > 8) {
            throw RedisError.SYNTAX;
        }
        long idle = 0;
        int first = 2;
        if (words.is(2, "IDLE")) {
            idle = words.number(3);
            if (count < 7) {
                throw RedisError.SYNTAX;
            }
            first = 4;
        }
        long most = Math.max(0, words.number(first + 2));
        StreamId from = StreamWords.first(words, first);
        StreamId to = StreamWords.last(words, first + 1);
        StreamGroup group = require(words, false).group;
        NavigableMap<StreamId, Pending> of = group.pending();
        if (first + 3 < count) {
            Consumer consumer = group.consumer(word(words, first + 3));
            if (consumer == null) {
                reply.array(0);
                return;
            }
            of = consumer.pending();
        }
        List<Pending> found = new ArrayList<>();
        if (!from.isAfter(to)) {
            for (Pending each : of.subMap(from, true, to, true).values()) {
                if (found.size() == most) {
                    break;
                }
                if (idle == 0 || database.nowMillis() - each.atMillis() >= idle) {
                    found.add(each);
                }
            }
        }
        reply.array(found.size());
        for (Pending each : found) {
            reply.array(4);
            StreamWords.tell(each.id(), reply);
            reply.bulk(each.consumer().name().array())
                    .integer(Math.max(0, database.nowMillis() - each.atMillis()))
                    .integer(each.count());
        }
    }

    private static void summary(StreamGroup group, Reply reply) {
        reply.array(4).integer(group.pending().size());
        if (group.pending().isEmpty()) {
            reply.nothing().nothing().noArray();
            return;
        }
        StreamWords.tell(group.pending().firstKey(), reply);
        StreamWords.tell(group.pending().lastKey(), reply);
        List<Consumer> busy = group.consumers().stream()
                .filter(each -> !each.pending().isEmpty())
                .toList();
        reply.array(busy.size());
        busy.forEach(each -> reply.array(2)
                .bulk(each.name().array())
                .bulk(Integer.toString(each.pending().size())));
    }

    /** The options of XCLAIM; -1 where nothing is said. */
    private static final class ClaimOptions {
        long atMillis = -1;
        long count = -1;
        boolean forces;
        boolean tellsIds;
        StreamId last = StreamId.ZERO;

        ClaimOptions(Words words, int from, long nowMillis) {
            for (int i = from; i < words.count(); i++) {
                boolean hasMore = i + 1 < words.count();
                if (words.is(i, "FORCE")) {
                    forces = true;
                } else if (words.is(i, "JUSTID")) {
                    tellsIds = true;
                } else if (words.is(i, "IDLE") && hasMore) {
                    atMillis = nowMillis - number(words, ++i, "IDLE");
                } else if (words.is(i, "TIME") && hasMore) {
                    atMillis = number(words, ++i, "TIME");
                } else if (words.is(i, "RETRYCOUNT") && hasMore) {
                    count = number(words, ++i, "RETRYCOUNT");
                } else if (words.is(i, "LASTID") && hasMore) {
                    last = StreamWords.id(words, ++i, 0);
                } else {
                    throw new RedisError("ERR Unrecognized XCLAIM option '" + words.quoted(i) + "'");
                }
            }
            if (atMillis < 0 || atMillis > nowMillis) {
                atMillis = nowMillis;
            }
        }

        private static long number(Words words, int i, String option) {
            return words.number(i, new RedisError("ERR Invalid " + option + " option argument for XCLAIM"));
        }
    }

    private static long idle(Words words, String command) {
        return Math.max(0, words.number(3, new RedisError("ERR Invalid min-idle-time argument for " + command)));
    }

    private void claim(Words words, Reply reply) {
        Of of = require(words, true);
        long idle = idle(words, "XCLAIM");
        int end = 4;
        while (end < words.count() && StreamWords.isId(words, end)) {
            end++;
        }
        long now = database.nowMillis();
        ClaimOptions options = new ClaimOptions(words, end, now);
        List<StreamId> claimed = new ArrayList<>();
        List<StreamId> gone = new ArrayList<>();
        Set<StreamId> seen = new HashSet<>();
        for (StreamId id : Streams.ids(words, 4, end)) {
            Pending pending = of.group.pending().get(id);
            if (!of.stream.entries().containsKey(id)) {
                gone.add(id);
            } else if (pending == null
                    ? options.forces
                    : idle == 0 || now - pending.atMillis() >= idle && !seen.contains(id)) {
                claimed.add(id);
                seen.add(id);
            }
        }
        reply.array(claimed.size());
        claimed.forEach(id -> tell(of.stream, id, options.tellsIds, reply));
        if (options.last.isAfter(of.group.lastDelivered())) {
            of.group.seek(options.last, of.group.read());
        }
        gone.forEach(of.group::acknowledge);
        if (claimed.isEmpty()) {
            return;
        }
        Consumer to = of.group.seen(word(words, 2), now);
        for (StreamId id : claimed) {
            Pending former = of.group.pending().get(id);
            long count = former == null ? 1 : former.count();
            of.group.deliver(
                    id,
                    to,
                    options.atMillis,
                    options.count >= 0 ? options.count : options.tellsIds ? count : count + 1);
        }
    }

    private static void tell(StreamValue stream, StreamId id, boolean idAlone, Reply reply) {
        if (idAlone) {
            StreamWords.tell(id, reply);
        } else {
            StreamWords.tell(id, stream.entries().get(id), reply);
        }
    }

    private void claimAny(Words words, Reply reply) {
        long idle = idle(words, "XAUTOCLAIM");
        StreamId from = StreamWords.first(words, 4);
        long count = DEFAULT_COUNT;
        boolean tellsIds = false;
        for (int i = 5; i < words.count(); i++) {
            if (words.is(i, "COUNT") && i + 1 < words.count()) {
                RedisError tooFew = new RedisError("ERR COUNT must be > 0");
                count = words.number(++i, tooFew);
                if (count < 1 || count > Long.MAX_VALUE / (2 * Long.BYTES)) {
                    throw tooFew;
                }
            } else if (words.is(i, "JUSTID")) {
                tellsIds = true;
            } else {
                throw RedisError.SYNTAX;
            }
        }
        Of of = require(words, true);
        long now = database.nowMillis();
        List<StreamId> claimed = new ArrayList<>();
        List<StreamId> gone = new ArrayList<>();
        StreamId next = StreamId.ZERO;
        long looks = 0;
        for (Pending each : of.group.pending().tailMap(from, true).values()) {
            if (looks++ / ATTEMPTS >= count || claimed.size() + gone.size() >= count) {
                next = each.id();
                break;
            }
            if (!of.stream.entries().containsKey(each.id())) {
                gone.add(each.id());
            } else if (now - each.atMillis() >= idle) {
                claimed.add(each.id());
            }
        }
        reply.array(3);
        StreamWords.tell(next, reply);
        reply.array(claimed.size());
        for (StreamId id : claimed) {
            tell(of.stream, id, tellsIds, reply);
        }
        reply.array(gone.size());
        gone.forEach(id -> StreamWords.tell(id, reply));
        gone.forEach(of.group::acknowledge);
        if (claimed.isEmpty()) {
            return;
        }
        Consumer to = of.group.seen(word(words, 2), now);
        for (StreamId id : claimed) {
            Pending former = of.group.pending().get(id);
            long before = former == null ? 0 : former.count();
            of.group.deliver(id, to, now, tellsIds ? before : before + 1);
        }
    }
}
