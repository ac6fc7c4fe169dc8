package io.slipstream.keyvalue.command;

import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Reply;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.keyvalue.value.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What HSCAN, SSCAN and ZSCAN ask for. Each tells all at once: the cursor is 0 at the end. */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record Scan(byte @Nullable [] pattern) {
    /** Reads the options from word {@code from} on; word 1 is the cursor. */
    static Scan of(Words words, int from) {
        words.number(1, new RedisError("ERR invalid cursor"));
        byte[] pattern = null;
        for (int i = from; i < words.count(); i += 2) {
            if (i + 1 == words.count()) {
                throw RedisError.SYNTAX;
            }
            if (words.is(i, "MATCH")) {
                pattern = words.bytes(i + 1);
            } else if (!words.is(i, "COUNT") || words.number(i + 1) < 1) {
                throw RedisError.SYNTAX;
            }
        }
        return new Scan(pattern);
    }

    boolean matches(Bytes name) {
        return pattern == null || Glob.matches(pattern, name.array());
    }

    void tell(List<byte[]> found, Reply reply) {
        reply.array(2).bulk("0").array(found.size());
        found.forEach(reply::bulk);
    }
}
