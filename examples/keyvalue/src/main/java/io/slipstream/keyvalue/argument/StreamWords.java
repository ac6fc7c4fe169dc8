package io.slipstream.keyvalue.argument;

import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Reply;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.keyvalue.value.Bytes;
import io.slipstream.keyvalue.value.StreamId;
import io.slipstream.keyvalue.value.StreamValue;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Ids of streams as commands name them, and entries as answers tell them. */
public final class StreamWords {
    private static final RedisError INVALID =
            new RedisError("ERR Invalid stream ID specified as stream command argument");
    private static final int MAX_LENGTH = 127;

    private StreamWords() {}

    /** Returns the id that a word is; {@code missing} is the second number of one that has only the first. */
    public static StreamId id(Words words, int i, long missing) {
        return id(words.text(i), missing);
    }

    /** Returns whether a word is an id. */
    public static boolean isId(Words words, int i) {
        try {
            id(words, i, 0);
            return true;
        } catch (RedisError e) {
            return false;
        }
    }

    private static StreamId id(String text, long missing) {
        if (text.length() > MAX_LENGTH) {
            throw INVALID;
        }
        int dash = text.indexOf('-');
        long millis = number(dash < 0 ? text : text.substring(0, dash));
        return new StreamId(millis, dash < 0 ? missing : number(text.substring(dash + 1)));
    }

    public static long number(String text) {
        if (text.isEmpty() || text.chars().anyMatch(c -> c < '0' || c > '9')) {
            throw INVALID;
        }
        try {
            return Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            throw INVALID;
        }
    }

    /** Returns the first id of an interval: an id, one behind a bracket that is not in it, {@code -} or {@code +}. */
    public static StreamId first(Words words, int i) {
        return bound(words.text(i), 0, StreamId::next, "start");
    }

    /** Returns the last id of an interval, as {@link #first}. */
    public static StreamId last(Words words, int i) {
        return bound(words.text(i), -1, StreamId::previous, "end");
    }

    private static StreamId bound(
            String text, long missing, Function<StreamId, @Nullable StreamId> behind, String which) {
        if (text.length() > 1 && text.charAt(0) == '(') {
            StreamId within = behind.apply(id(text.substring(1), missing));
            if (within == null) {
                throw new RedisError("ERR invalid " + which + " ID for the interval");
            }
            return within;
        }
        return switch (text) {
            case "-" -> StreamId.ZERO;
            case "+" -> StreamId.MAX;
            default -> id(text, missing);
        };
    }

    public static void tell(StreamId id, Reply reply) {
        reply.bulk(id.toString());
    }

    /** Tells an entry; one that is gone as nothing. */
    public static void tell(StreamId id, @Nullable List<Bytes> pairs, Reply reply) {
        reply.array(2);
        tell(id, reply);
        if (pairs == null) {
            reply.noArray();
            return;
        }
        reply.array(pairs.size());
        pairs.forEach(each -> reply.bulk(each.array()));
    }

    /** Tells up to {@code most} entries. */
    public static void tell(Map<StreamId, List<Bytes>> entries, long most, Reply reply) {
        long left = Math.min(most, entries.size());
        reply.array(left);
        for (Map.Entry<StreamId, List<Bytes>> each : entries.entrySet()) {
            if (left-- == 0) {
                return;
            }
            tell(each.getKey(), each.getValue(), reply);
        }
    }

    /** Returns whether the stream has an entry behind that id. */
    public static boolean hasAfter(StreamValue stream, StreamId id) {
        return !stream.entries().isEmpty() && stream.entries().lastKey().isAfter(id);
    }
}
