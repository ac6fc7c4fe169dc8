package io.slipstream.cli.keyvalue;

import io.slipstream.data.DecodeException;
import io.slipstream.data.annotation.Optional;
import io.slipstream.http.api.Api;
import io.slipstream.http.api.ApiOperation;
import io.slipstream.keyvalue.resp.Payloads;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.service.typed.Operation.Kind;
import io.slipstream.service.typed.RejectedException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a key-value store offers by HTTP: strings, and counters. All else takes a Redis client. */
final class KeyValueApi {
    private KeyValueApi() {}

    static Api create() {
        return new Api(
                "keyvalue",
                List.of(
                        ApiOperation.mapped(
                                Kind.COMMAND,
                                Set.class,
                                Stored.class,
                                Set::toBytes,
                                reply -> new Stored(isOk(reply.payload()))),
                        ApiOperation.mapped(
                                Kind.COMMAND,
                                Delete.class,
                                Deleted.class,
                                delete -> Payloads.of(RedisCommand.DEL, List.of(delete.key)),
                                reply -> new Deleted(isOne(reply.payload()))),
                        ApiOperation.mapped(
                                Kind.COMMAND,
                                Add.class,
                                Sum.class,
                                add -> Payloads.of(RedisCommand.INCRBY, List.of(add.key, Long.toString(add.amount))),
                                reply -> new Sum(number(reply.payload()))),
                        ApiOperation.mapped(
                                Kind.QUERY,
                                Get.class,
                                Value.class,
                                get -> Payloads.of(RedisCommand.GET, List.of(get.key)),
                                reply -> new Value(text(reply.payload())))),
                null);
    }

    private static boolean isOk(byte[] resp) {
        String line = line(resp);
        if (!line.equals("+OK")) {
            throw other(line);
        }
        return true;
    }

    private static boolean isOne(byte[] resp) {
        long count = number(resp);
        if (count != 0 && count != 1) {
            throw other(line(resp));
        }
        return count == 1;
    }

    /** Returns the number of an answer in RESP. */
    private static long number(byte[] resp) {
        String line = line(resp);
        if (!line.startsWith(":")) {
            throw other(line);
        }
        return Long.parseLong(line, 1, line.length(), 10);
    }

    /** An answer that a command of another type got, whose idempotency key was used again. */
    private static DecodeException other(String line) {
        return new DecodeException("reply", 0, "a request of this type is not answered with " + line);
    }

    /** Returns the value of an answer in RESP; null if there is none. */
    private static @Nullable String text(byte[] resp) {
        String length = line(resp);
        if (length.equals("$-1")) {
            return null;
        }
        if (!length.startsWith("$")) {
            throw other(length);
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(
                            resp, length.length() + 2, Integer.parseInt(length, 1, length.length(), 10)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new RejectedException("the value is no text in UTF-8; ask for it with a Redis client");
        }
    }

    /** Returns the first line of an answer in RESP, unless it says what was wrong. */
    private static String line(byte[] resp) {
        int end = 0;
        while (resp[end] != '\r') {
            end++;
        }
        String line = new String(resp, 0, end, StandardCharsets.UTF_8);
        if (line.startsWith("-")) {
            throw new RejectedException(line.substring(1));
        }
        return line;
    }

    /** Stores a text under a key; with a time, it is gone after so many milliseconds. */
    record Set(String key, String value, @Nullable Long expireMillis) {
        private byte[] toBytes() {
            return expireMillis == null
                    ? Payloads.of(RedisCommand.SET, List.of(key, value))
                    : Payloads.of(RedisCommand.PSETEX, List.of(key, Long.toString(expireMillis), value));
        }
    }

    /** The reply. */
    record Stored(boolean stored) {}

    /** Removes a key. */
    record Delete(String key) {}

    /** Whether it was there. */
    record Deleted(boolean deleted) {}

    /** Adds to the number under a key; one that is not there counts as 0. */
    record Add(String key, long amount) {}

    /** What the number is now. */
    record Sum(long value) {}

    /** Asks for the text under a key. */
    record Get(String key) {}

    /** The text, or null if there is none. */
    record Value(@Optional @Nullable String value) {}
}
