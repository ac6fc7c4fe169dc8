package io.slipstream.keyvalue.resp;

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
        int key = command.isKeyed() ? 1 : 0;
        reply.array(6)
                .bulk(command.text())
                .integer(command.arity())
                .array(1)
                .simple(command.kind() == RedisCommand.Kind.WRITE ? "write" : "readonly")
                .integer(key)
                .integer(key)
                .integer(key);
    }
}
