package io.slipstream.keyvalue;

import io.slipstream.keyvalue.memory.Keyspace;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Reply;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.service.machine.Output;

/** Commands that are the same for values of all types. */
final class KeyCommands {
    private final Database database;
    private final Keyspace keys;

    KeyCommands(Database database) {
        this.database = database;
        this.keys = database.keys();
    }

    void execute(RedisCommand command, Words words, Reply reply, Output output) {
        switch (command) {
            case DEL, UNLINK -> {
                int removed = 0;
                for (int i = 0; i < words.count(); i++) {
                    removed += database.remove(words, i) ? 1 : 0;
                }
                reply.integer(removed);
            }
            case EXISTS, TOUCH -> {
                int found = 0;
                for (int i = 0; i < words.count(); i++) {
                    found += database.find(words, i) == 0 ? 0 : 1;
                }
                reply.integer(found);
            }
            case EXPIRE -> expire(command, words, reply, true, false, output);
            case PEXPIRE -> expire(command, words, reply, false, false, output);
            case EXPIREAT -> expire(command, words, reply, true, true, output);
            case PEXPIREAT -> expire(command, words, reply, false, true, output);
            case TTL, PTTL, EXPIRETIME, PEXPIRETIME -> remaining(command, words, reply, output);
            case PERSIST -> persist(words, reply, output);
            case TYPE -> reply.simple(database.find(words, 0) == 0 ? "none" : "string");
            case DBSIZE -> reply.integer(keys.count());
            case FLUSHDB, FLUSHALL -> flush(words, reply, output);
            case INFO -> info(reply);
            default -> throw new RedisError("ERR '" + command.text() + "' is not answered here");
        }
    }

    private void expire(RedisCommand command, Words words, Reply reply, boolean seconds, boolean absolute,
                        Output output) {
        long at = Deadline.read(words, 1, seconds, absolute, false, command.text(), output);
        boolean onlyNone = false;
        boolean onlySome = false;
        boolean onlyLater = false;
        boolean onlySooner = false;
        for (int i = 2; i < words.count(); i++) {
            onlyNone |= words.is(i, "NX");
            onlySome |= words.is(i, "XX");
            onlyLater |= words.is(i, "GT");
            onlySooner |= words.is(i, "LT");
            if (!words.is(i, "NX") && !words.is(i, "XX") && !words.is(i, "GT") && !words.is(i, "LT")) {
                throw new RedisError("ERR Unsupported option " + words.text(i));
            }
        }
        if (onlyNone && (onlySome || onlyLater || onlySooner)) {
            throw new RedisError("ERR NX and XX, GT or LT options at the same time are not compatible");
        }
        if (onlyLater && onlySooner) {
            throw new RedisError("ERR GT and LT options at the same time are not compatible");
        }
        long record = database.find(words, 0);
        long old = record == 0 ? 0 : keys.expiry(record);
        if (record == 0 || onlyNone && old != 0 || onlySome && old == 0 || onlyLater && (old == 0 || at <= old)
                || onlySooner && old != 0 && at >= old) {
            reply.integer(0);
            return;
        }
        if (at <= Deadline.nowMillis(output)) {
            database.remove(words, 0);
        } else {
            database.expire(record, at, output);
        }
        reply.integer(1);
    }

    private void remaining(RedisCommand command, Words words, Reply reply, Output output) {
        long record = database.find(words, 0);
        if (record == 0) {
            reply.integer(-2);
            return;
        }
        long at = keys.expiry(record);
        if (at == 0) {
            reply.integer(-1);
            return;
        }
        long left = Math.max(0, at - Deadline.nowMillis(output));
        reply.integer(switch (command) {
            case TTL -> (left + 500) / 1_000;
            case PTTL -> left;
            case EXPIRETIME -> (at + 500) / 1_000;
            default -> at;
        });
    }

    private void persist(Words words, Reply reply, Output output) {
        long record = database.find(words, 0);
        boolean expires = record != 0 && keys.expiry(record) != 0;
        if (expires) {
            database.expire(record, 0, output);
        }
        reply.flag(expires);
    }

    private void flush(Words words, Reply reply, Output output) {
        if (words.count() > 1 || words.count() == 1 && !words.is(0, "SYNC") && !words.is(0, "ASYNC")) {
            throw RedisError.SYNTAX;
        }
        database.clear();
        output.cancel(Database.TIMER);
        reply.ok();
    }

    private void info(Reply reply) {
        reply.verbatim("# Server\r\nredis_version:7.0.15\r\nredis_mode:standalone\r\n\r\n# Memory\r\nused_memory:"
                + keys.usedBytes() + "\r\nused_memory_reserved:" + keys.reservedBytes() + "\r\n\r\n# Keyspace\r\n"
                + (keys.count() == 0 ? "" : "db0:keys=" + keys.count() + ",expires=" + keys.expiring()
                + ",avg_ttl=0\r\n"));
    }
}
