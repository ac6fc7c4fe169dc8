package io.slipstream.keyvalue.argument;

import io.slipstream.keyvalue.resp.Glob;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Reply;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.keyvalue.value.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What HSCAN, SSCAN and ZSCAN ask for. */
public record Scan(long cursor, @Nullable Glob pattern, long count) {
    private static final long USUAL_COUNT = 10;

    /** Reads the options from word {@code from} on; word 1 is the cursor. */
    public static Scan of(Words words, int from) {
        long cursor = words.number(1, new RedisError("ERR invalid cursor"));
        Glob pattern = null;
        long count = USUAL_COUNT;
        for (int i = from; i < words.count(); i += 2) {
            if (i + 1 == words.count()) {
                throw RedisError.SYNTAX;
            }
            if (words.is(i, "MATCH")) {
                pattern = new Glob(words.bytes(i + 1));
            } else if (words.is(i, "COUNT")) {
                count = words.number(i + 1);
                if (count < 1) {
                    throw RedisError.SYNTAX;
                }
            } else {
                throw RedisError.SYNTAX;
            }
        }
        return new Scan(cursor, pattern, count);
    }

    public boolean matches(Bytes name) {
        return pattern == null || pattern.matches(name.array());
    }

    /** Tells what was found, and the cursor of the next call; 0 at the end. */
    public static void tell(long next, List<byte[]> found, Reply reply) {
        reply.array(2).bulk(Long.toString(next)).array(found.size());
        found.forEach(reply::bulk);
    }
}
