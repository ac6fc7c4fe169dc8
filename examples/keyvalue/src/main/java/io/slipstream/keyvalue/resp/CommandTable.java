package io.slipstream.keyvalue.resp;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The command COMMAND: what there is, and how many words it takes; and the HELP of those that have subcommands. */
final class CommandTable {
    private static final Map<RedisCommand, String> SUBCOMMANDS = new EnumMap<>(Map.ofEntries(
            Map.entry(
                    RedisCommand.CLIENT,
                    "getname help id info kill list no-evict no-touch reply setinfo setname unblock"),
            Map.entry(RedisCommand.COMMAND, "count docs getkeys help info list"),
            Map.entry(RedisCommand.CONFIG, "get help resetstat set"),
            Map.entry(RedisCommand.FUNCTION, "flush help list"),
            Map.entry(RedisCommand.LATENCY, "help histogram history latest reset"),
            Map.entry(RedisCommand.MEMORY, "help usage"),
            Map.entry(RedisCommand.OBJECT, "encoding freq help idletime refcount"),
            Map.entry(RedisCommand.PUBSUB, "channels help numpat numsub"),
            Map.entry(RedisCommand.SLOWLOG, "get help len reset"),
            Map.entry(RedisCommand.XGROUP, "create createconsumer delconsumer destroy help setid"),
            Map.entry(RedisCommand.XINFO, "consumers groups help stream")));

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
        } else if (words.is(1, "LIST")) {
            list(words, reply);
        } else if (words.is(1, "GETKEYS") && words.count() > 2) {
            List<byte[]> keys = KeyWords.of(words.from(2));
            reply.array(keys.size());
            keys.forEach(reply::bulk);
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

    private static void list(Words words, Reply reply) {
        boolean isWhole = words.count() == 2;
        if (!isWhole && (words.count() != 5 || !words.is(2, "FILTERBY"))) {
            throw RedisError.SYNTAX;
        }
        Predicate<RedisCommand> commands = command -> true;
        Predicate<String> texts = text -> true;
        if (!isWhole) {
            String wanted = words.text(4).toLowerCase(Locale.ROOT);
            if (words.is(3, "MODULE")) {
                commands = command -> false;
            } else if (words.is(3, "ACLCAT")) {
                commands = command -> category(command).equals(wanted);
            } else if (words.is(3, "PATTERN")) {
                Glob pattern = new Glob(wanted.getBytes(StandardCharsets.ISO_8859_1));
                texts = text -> pattern.matches(text.getBytes(StandardCharsets.US_ASCII));
            } else {
                throw RedisError.SYNTAX;
            }
        }
        List<String> names = Arrays.stream(RedisCommand.values())
                .filter(commands)
                .flatMap(each -> Stream.concat(
                        Stream.of(each.text()), subcommands(each).stream().map(name -> each.text() + "|" + name)))
                .filter(texts)
                .toList();
        reply.array(names.size());
        names.forEach(reply::bulk);
    }

    private static List<String> subcommands(RedisCommand command) {
        String names = SUBCOMMANDS.get(command);
        return names == null ? List.of() : List.of(names.split(" "));
    }

    /** Answers HELP, which is word 1: the subcommands that there are. */
    static void help(RedisCommand command, Words words, Reply reply) {
        if (words.count() > 2) {
            throw new RedisError("ERR wrong number of arguments for '" + command.text() + "|help' command");
        }
        List<String> names = subcommands(command);
        reply.array(1L + names.size())
                .simple(command.name() + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:");
        names.forEach(name -> reply.simple(name.toUpperCase(Locale.ROOT)));
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
