package io.slipstream.keyvalue.resp;

import io.slipstream.service.spi.Requests;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The clients that are connected, and the command CLIENT. */
final class Clients {
    private static final List<String> TYPES = List.of("normal", "master", "replica", "slave", "pubsub");

    // Gateways, and services of one process, may share a protocol, and each has a thread of its own.
    private final NavigableMap<Long, Client> bySession = new ConcurrentSkipListMap<>();

    private final LongAdder connections = new LongAdder();
    private final Figures figures = new Figures();
    private final SlowLog slowLog = new SlowLog(this);
    private final QueuedBytes queued = new QueuedBytes(Runtime.getRuntime().maxMemory() / 8);
    private final long sinceNanos = System.nanoTime();

    /** Counts what clients ask for. */
    Figures counts() {
        return figures;
    }

    /** Returns what the transactions of all clients hold. */
    QueuedBytes queued() {
        return queued;
    }

    /** Returns the commands that took long. */
    SlowLog slowLog() {
        return slowLog;
    }

    /** Returns the client of a session that is connected, or null; any thread. */
    @Nullable
    Client find(long session) {
        return bySession.get(session);
    }

    /**
     * Returns what a gateway knows that the store does not, as words of INFO: a zero, the name of a section, a line
     * end, and its lines.
     */
    List<String> figures() {
        double cpuSeconds = ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .map(spent -> spent.toMillis() / 1000.0)
                .orElse(0.0);
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - sinceNanos);
        long listening =
                bySession.values().stream().filter(each -> each.mayListen).count();
        return List.of(
                "\0Server\r\nos:" + System.getProperty("os.name") + "\r\narch_bits:64\r\nprocess_id:"
                        + ProcessHandle.current().pid() + "\r\nuptime_in_seconds:" + seconds
                        + "\r\nuptime_in_days:" + TimeUnit.SECONDS.toDays(seconds) + "\r\n",
                "\0Clients\r\nconnected_clients:" + bySession.size() + "\r\npubsub_clients:" + listening + "\r\n",
                "\0Stats\r\ntotal_connections_received:" + connections.sum() + "\r\ntotal_commands_processed:"
                        + figures.asked() + "\r\n",
                "\0CPU\r\nused_cpu_sys:0.000000\r\nused_cpu_user:" + String.format(Locale.ROOT, "%.6f", cpuSeconds)
                        + "\r\nused_cpu_sys_children:0.000000\r\nused_cpu_user_children:0.000000\r\n",
                "\0Commandstats\r\n" + figures.lines());
    }

    void add(Client client) {
        connections.increment();
        bySession.put(client.session, client);
    }

    void remove(Client client) {
        bySession.remove(client.session, client);
    }

    /** Answers CLIENT: word 1 is the subcommand. */
    void run(Client own, Words words, Reply reply, Requests requests) {
        String subcommand = words.text(1).toUpperCase(Locale.ROOT);
        int count = words.count();
        if (subcommand.equals("ID") && count == 2) {
            reply.integer(own.session);
        } else if (subcommand.equals("GETNAME") && count == 2) {
            if (own.name.isEmpty()) {
                reply.nothing();
            } else {
                reply.bulk(own.name);
            }
        } else if (subcommand.equals("SETNAME") && count == 3) {
            own.name = name(words.text(2));
            reply.ok();
        } else if (subcommand.equals("SETINFO") && count == 4) {
            setInfo(own, words);
            reply.ok();
        } else if ((subcommand.equals("NO-EVICT") || subcommand.equals("NO-TOUCH")) && count == 3) {
            if (!words.is(2, "ON") && !words.is(2, "OFF")) {
                throw RedisError.SYNTAX;
            }
            reply.ok();
        } else if (subcommand.equals("REPLY") && count == 3) {
            silence(own.silence, words, reply);
        } else if (subcommand.equals("INFO") && count == 2) {
            reply.verbatim(own.line() + "\n");
        } else if (subcommand.equals("LIST")) {
            list(words, reply);
        } else if (subcommand.equals("KILL") && count == 3) {
            killAddress(words.text(2), reply, requests);
        } else if (subcommand.equals("KILL") && count > 3) {
            kill(own, words, reply, requests);
        } else if (List.of("ID", "GETNAME", "SETNAME", "SETINFO", "NO-EVICT", "NO-TOUCH", "REPLY", "INFO", "KILL")
                .contains(subcommand)) {
            throw new RedisError(
                    "ERR wrong number of arguments for 'client|" + subcommand.toLowerCase(Locale.ROOT) + "' command");
        } else {
            throw new RedisError("ERR unknown subcommand '" + words.shown(1) + "'. Try CLIENT HELP.");
        }
    }

    private static void silence(Silence silence, Words words, Reply reply) {
        switch (words.text(2).toUpperCase(Locale.ROOT)) {
            case "ON" -> {
                silence.off();
                reply.ok();
            }
            case "OFF" -> silence.on();
            case "SKIP" -> silence.skipNext();
            default -> throw RedisError.SYNTAX;
        }
    }

    /** Returns {@code text} if a client can have that name. */
    static String name(String text) {
        if (text.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new RedisError("ERR Client names cannot contain spaces, newlines or special characters.");
        }
        return text;
    }

    private static void setInfo(Client own, Words words) {
        String value = words.text(3);
        String option = words.text(2).toUpperCase(Locale.ROOT);
        if (value.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new RedisError("ERR " + option.toLowerCase(Locale.ROOT)
                    + " cannot contain spaces, newlines or special characters.");
        }
        switch (option) {
            case "LIB-NAME" -> own.libraryName = value;
            case "LIB-VER" -> own.libraryVersion = value;
            default -> throw new RedisError("ERR Unrecognized option '" + words.shown(2) + "'");
        }
    }

    private void list(Words words, Reply reply) {
        Predicate<Client> wanted = each -> true;
        if (words.count() == 4 && words.is(2, "TYPE")) {
            String type = type(words, 3);
            wanted = each -> each.type().equals(type);
        } else if (words.count() > 3 && words.is(2, "ID")) {
            List<Long> ids = IntStream.range(3, words.count())
                    .mapToObj(i -> id(words, i, "ERR Invalid client ID"))
                    .toList();
            wanted = each -> ids.contains(each.session);
        } else if (words.count() != 2) {
            throw RedisError.SYNTAX;
        }
        StringBuilder lines = new StringBuilder();
        bySession.values().stream()
                .filter(wanted)
                .forEach(each -> lines.append(each.line()).append('\n'));
        reply.verbatim(lines.toString());
    }

    private static long id(Words words, int i, String error) {
        RedisError otherwise = new RedisError(error);
        long id = words.number(i, otherwise);
        if (id < 1) {
            throw otherwise;
        }
        return id;
    }

    private static String type(Words words, int i) {
        String type = words.text(i).toLowerCase(Locale.ROOT);
        if (!TYPES.contains(type)) {
            throw new RedisError("ERR Unknown client type '" + words.shown(i) + "'");
        }
        return type;
    }

    private void killAddress(String address, Reply reply, Requests requests) {
        if (kill(bySession.values(), each -> each.remote.equals(address), requests) == 0) {
            throw new RedisError("ERR No such client");
        }
        reply.ok();
    }

    private void kill(Client own, Words words, Reply reply, Requests requests) {
        Predicate<Client> wanted = each -> true;
        boolean skipsOwn = true;
        for (int i = 2; i < words.count(); i += 2) {
            if (i + 1 == words.count()) {
                throw RedisError.SYNTAX;
            }
            String value = words.text(i + 1);
            switch (words.text(i).toUpperCase(Locale.ROOT)) {
                case "ID" -> {
                    long id = id(words, i + 1, "ERR client-id should be greater than 0");
                    wanted = wanted.and(each -> each.session == id);
                }
                case "ADDR" -> wanted = wanted.and(each -> each.remote.equals(value));
                case "USER" -> wanted = wanted.and(each -> each.user.equals(value));
                case "TYPE" -> {
                    String type = type(words, i + 1);
                    wanted = wanted.and(each -> each.type().equals(type));
                }
                case "SKIPME" -> {
                    if (!words.is(i + 1, "YES") && !words.is(i + 1, "NO")) {
                        throw RedisError.SYNTAX;
                    }
                    skipsOwn = words.is(i + 1, "YES");
                }
                default -> throw RedisError.SYNTAX;
            }
        }
        if (skipsOwn) {
            wanted = wanted.and(each -> each != own);
        }
        reply.integer(kill(bySession.values(), wanted, requests));
    }

    private static long kill(Collection<Client> among, Predicate<Client> wanted, Requests requests) {
        return among.stream()
                .filter(wanted)
                .filter(each -> requests.close(each.session))
                .count();
    }
}
