package io.slipstream.keyvalue.resp;

import java.util.ArrayList;
import java.util.List;

/** The command COMMAND: what there is, and how many words it takes. */
final class CommandTable {
    private CommandTable() {}

    /** Answers COMMAND: word 1 is the subcommand, if there is one. */
    static void run(Words words, Reply reply) {
        RedisCommand[] all = RedisCommand.values();
        if (words.count() == 1) {
            reply.array(all.length);
            for (RedisCommand each : all) {
                describe(each, reply);
            }
        } else if (words.is(1, "COUNT") && words.count() == 2) {
            reply.integer(all.length);
        } else if (words.is(1, "DOCS")) {
            docs(words, reply);
        } else if (words.is(1, "LIST") && words.count() == 2) {
            reply.array(all.length);
            for (RedisCommand each : all) {
                reply.bulk(each.text());
            }
        } else if (words.is(1, "INFO")) {
            reply.array(words.count() - 2);
            for (int i = 2; i < words.count(); i++) {
                RedisCommand each = RedisCommand.named(words, i);
                if (each == null) {
                    reply.noArray();
                } else {
                    describe(each, reply);
                }
            }
        } else {
            throw new RedisError("ERR unknown subcommand or wrong number of arguments for '" + words.text(1)
                    + "'. Try COMMAND HELP.");
        }
    }

    private static void docs(Words words, Reply reply) {
        RedisCommand[] all = RedisCommand.values();
        if (words.count() == 2) {
            reply.map(all.length);
            for (RedisCommand each : all) {
                document(each, reply);
            }
            return;
        }
        int found = 0;
        for (int i = 2; i < words.count(); i++) {
            found += RedisCommand.named(words, i) == null ? 0 : 1;
        }
        reply.map(found);
        for (int i = 2; i < words.count(); i++) {
            RedisCommand each = RedisCommand.named(words, i);
            if (each != null) {
                document(each, reply);
            }
        }
    }

    private static void document(RedisCommand command, Reply reply) {
        String group = switch (command.kind()) {
            case READ -> "reads";
            case WRITE -> "is in the log";
            case LOCAL -> "is about the connection";
        };
        reply.bulk(command.text())
                .map(2)
                .bulk("summary")
                .bulk("As of Redis 7; it " + group + ".")
                .bulk("arity")
                .integer(command.arity());
    }

    private static void describe(RedisCommand command, Reply reply) {
        RedisCommand.KeyPositions keys = command.keys();
        reply.array(10).bulk(command.text()).integer(command.arity());
        tell(flags(command), reply);
        reply.integer(keys.first()).integer(keys.last()).integer(keys.step());
        tell(List.of("@" + category(command)), reply);
        // No tips, no key specifications, no subcommands.
        reply.array(0).array(0).array(0);
    }

    private static void tell(List<String> names, Reply reply) {
        reply.set(names.size());
        names.forEach(reply::simple);
    }

    private static List<String> flags(RedisCommand command) {
        List<String> flags = new ArrayList<>();
        switch (category(command)) {
            case "read" -> flags.add("readonly");
            case "write" -> flags.add("write");
            case "pubsub" -> flags.add("pubsub");
            case "admin" -> flags.add("admin");
            default -> flags.add("fast");
        }
        if (command.mayWait()) {
            flags.add("blocking");
        }
        if (command.countsKeys()) {
            flags.add("movablekeys");
        }
        return flags;
    }

    private static String category(RedisCommand command) {
        return switch (command) {
            case PUBLISH, PUBSUB, SUBSCRIBE, UNSUBSCRIBE, PSUBSCRIBE, PUNSUBSCRIBE -> "pubsub";
            case MULTI, EXEC, DISCARD, WATCH, UNWATCH -> "transaction";
            case CONFIG, DEBUG, SLOWLOG, LATENCY -> "admin";
            case RANDOMKEY, SRANDMEMBER, HRANDFIELD, ZRANDMEMBER -> "read";
            case TIME, INFO -> "fast";
            case RESET -> "connection";
            default ->
                switch (command.kind()) {
                    case READ -> "read";
                    case WRITE -> "write";
                    case LOCAL -> "connection";
                };
        };
    }
}
