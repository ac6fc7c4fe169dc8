package io.slipstream.keyvalue.command;

import io.slipstream.keyvalue.resp.Glob;
import io.slipstream.keyvalue.resp.Numbers;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Reply;
import io.slipstream.keyvalue.resp.SlowLog;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The commands about the store itself, and what it does when its memory is full. */
final class Server {
    private static final String POLICIES = "noeviction allkeys-lru volatile-ttl";
    private static final Map<String, String> FIXED = Map.of("appendonly", "yes", "appendfsync", "always", "save", "");

    private static final String LONGEST = "proto-max-bulk-len";
    private static final String SLOWER_THAN = "slowlog-log-slower-than";
    private static final String SLOW_LENGTH = "slowlog-max-len";

    /* Settings that change no key: those of the slow log, and those of Redis' own way to hold things, which are taken
    and told, and without effect. */
    private static final Map<String, String> TOLD = Map.ofEntries(
            Map.entry("hash-max-listpack-entries", "512"),
            Map.entry("hash-max-listpack-value", "64"),
            Map.entry("hash-max-ziplist-entries", "512"),
            Map.entry("hash-max-ziplist-value", "64"),
            Map.entry("list-max-listpack-size", "-2"),
            Map.entry("list-max-ziplist-size", "-2"),
            Map.entry("list-compress-depth", "0"),
            Map.entry("set-max-intset-entries", "512"),
            Map.entry("zset-max-listpack-entries", "128"),
            Map.entry("zset-max-listpack-value", "64"),
            Map.entry("zset-max-ziplist-entries", "128"),
            Map.entry("zset-max-ziplist-value", "64"),
            Map.entry("activedefrag", "no"),
            Map.entry("lua-time-limit", "5000"),
            Map.entry("busy-reply-threshold", "5000"),
            Map.entry("latency-tracking", "yes"),
            Map.entry(SLOWER_THAN, Long.toString(SlowLog.DEFAULT_MICROS)),
            Map.entry("lazyfree-lazy-user-del", "no"),
            Map.entry("maxmemory-samples", "5"),
            Map.entry("timeout", "0"),
            Map.entry("notify-keyspace-events", ""));

    /* Likewise, since version 2: in the state only once they were set. */
    private static final Map<String, String> TOLD_SINCE_2 = Map.of(
            "stream-node-max-entries",
            "100",
            "stream-node-max-bytes",
            "4096",
            SLOW_LENGTH,
            Integer.toString(SlowLog.DEFAULT_LENGTH));

    private static final int MAX_SLOW_LENGTH = 100_000;

    private final Database database;
    private final Blocked blocked;
    private long maxMemory;
    private String policy = "noeviction";
    private long evicted;
    private final Map<String, String> told = new TreeMap<>(TOLD);
    private long slowNanos;
    private int slowLogLength;

    Server(Database database, Blocked blocked, Map<RedisCommand, Handler> handlers) {
        this.database = database;
        this.blocked = blocked;
        readSlowLog();
        handlers.put(RedisCommand.INFO, this::info);
        handlers.put(RedisCommand.CONFIG, this::config);
        handlers.put(RedisCommand.MEMORY, this::memory);
        handlers.put(
                RedisCommand.TIME,
                (words, reply) -> reply.array(2)
                        .bulk(Long.toString(database.nowMillis() / 1000))
                        .bulk(Long.toString(database.nowMillis() % 1000 * 1000)));
    }

    /**
     * Makes room if there is too little, by the policy.
     *
     * @param random a number from 0 to 2^32
     * @throws RedisError if there is none to be made
     */
    void requireRoom(LongSupplier random) {
        while (maxMemory > 0 && database.usedBytes() > maxMemory) {
            boolean isRemoved = switch (policy) {
                case "allkeys-lru" -> database.evictOldest(random.getAsLong());
                case "volatile-ttl" -> database.evictFirstExpiring();
                default -> false;
            };
            if (!isRemoved) {
                throw new RedisError("OOM command not allowed when used memory > 'maxmemory'.");
            }
            evicted++;
        }
    }

    /** Words behind a zero are what the gateway knows; see {@code Clients.figures}. */
    private void info(Words words, Reply reply) {
        Map<String, StringBuilder> sections = sections();
        Set<String> wanted = new HashSet<>();
        for (int i = 0; i < words.count(); i++) {
            String word = words.text(i);
            int end = word.indexOf("\r\n");
            if (word.startsWith("\0") && end > 0) {
                StringBuilder section = sections.get(word.substring(1, end));
                if (section != null) {
                    section.append(word, end + 2, word.length());
                }
            } else {
                wanted.add(word.toLowerCase(Locale.ROOT));
            }
        }
        boolean everything = wanted.contains("all") || wanted.contains("everything");
        boolean usual = everything || wanted.isEmpty() || wanted.contains("default");
        StringBuilder text = new StringBuilder();
        sections.forEach((name, lines) -> {
            boolean isAmong = name.equals("Commandstats") ? everything : usual;
            if (isAmong || wanted.contains(name.toLowerCase(Locale.ROOT))) {
                text.append(text.isEmpty() ? "" : "\r\n")
                        .append("# ")
                        .append(name)
                        .append("\r\n")
                        .append(lines);
            }
        });
        reply.verbatim(text.toString());
    }

    private Map<String, StringBuilder> sections() {
        long used = database.usedBytes();
        Map<String, StringBuilder> sections = new LinkedHashMap<>();
        section(sections, "Server", "redis_version:7.0.15", "redis_mode:standalone", "slipstream:1");
        section(sections, "Clients", "blocked_clients:" + blocked.count());
        section(
                sections,
                "Memory",
                "used_memory:" + used,
                "used_memory_human:" + human(used),
                "used_memory_dataset:" + used,
                "reserved_memory:" + database.reservedBytes(),
                "maxmemory:" + maxMemory,
                "maxmemory_human:" + human(maxMemory),
                "maxmemory_policy:" + policy);
        section(sections, "Persistence", "loading:0", "aof_enabled:1");
        section(sections, "Stats", "evicted_keys:" + evicted);
        section(sections, "Replication", "role:master", "connected_slaves:0", "master_repl_offset:0");
        section(sections, "CPU");
        section(sections, "Commandstats");
        section(sections, "Cluster", "cluster_enabled:0");
        section(
                sections,
                "Keyspace",
                database.spaces().stream()
                        .filter(each -> each.keys().count() > 0)
                        .map(each -> "db" + each.number() + ":keys="
                                + each.keys().count() + ",expires="
                                + each.keys().expiring() + ",avg_ttl=0")
                        .toArray(String[]::new));
        return sections;
    }

    private static void section(Map<String, StringBuilder> sections, String name, String... lines) {
        StringBuilder text = new StringBuilder();
        for (String line : lines) {
            text.append(line).append("\r\n");
        }
        sections.put(name, text);
    }

    private static String human(long bytes) {
        if (bytes < 1024) {
            return bytes + "B";
        }
        int unit = (63 - Long.numberOfLeadingZeros(bytes)) / 10;
        return String.format(Locale.ROOT, "%.2f%c", bytes / Math.pow(1024, unit), "KMGTPE".charAt(unit - 1));
    }

    private void config(Words words, Reply reply) {
        if (words.is(0, "GET") && words.count() >= 2) {
            get(words, reply);
        } else if (words.is(0, "SET") && words.count() >= 3 && words.count() % 2 == 1) {
            setAll(words);
            reply.ok();
        } else if (words.is(0, "RESETSTAT")) {
            evicted = 0;
            reply.ok();
        } else {
            throw new RedisError("ERR unknown subcommand or wrong number of arguments for '" + words.text(0)
                    + "'. Try CONFIG HELP.");
        }
    }

    private void get(Words words, Reply reply) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("maxmemory", Long.toString(maxMemory));
        settings.put("maxmemory-policy", policy);
        settings.put("databases", Integer.toString(database.count()));
        settings.putAll(new TreeMap<>(FIXED));
        settings.put(LONGEST, Integer.toString(database.maxValue()));
        settings.putAll(new TreeMap<>(TOLD_SINCE_2));
        settings.putAll(told);
        List<Glob> wanted = new ArrayList<>();
        for (int i = 1; i < words.count(); i++) {
            wanted.add(new Glob(words.text(i).toLowerCase(Locale.ROOT).getBytes(StandardCharsets.ISO_8859_1)));
        }
        settings.keySet()
                .removeIf(name ->
                        wanted.stream().noneMatch(each -> each.matches(name.getBytes(StandardCharsets.US_ASCII))));
        reply.map(settings.size());
        settings.forEach((name, value) -> reply.bulk(name).bulk(value));
    }

    /** Sets all or none. */
    private void setAll(Words words) {
        long formerMemory = maxMemory;
        String formerPolicy = policy;
        Map<String, String> formerlyTold = Map.copyOf(told);
        Set<String> names = new HashSet<>();
        try {
            for (int i = 1; i < words.count(); i += 2) {
                String name = words.text(i).toLowerCase(Locale.ROOT);
                if (!names.add(name)) {
                    throw new RedisError("ERR CONFIG SET failed (possibly related to argument '" + name
                            + "') - duplicate parameter");
                }
                set(name, words.text(i + 1));
            }
        } catch (RedisError e) {
            maxMemory = formerMemory;
            policy = formerPolicy;
            told.clear();
            told.putAll(formerlyTold);
            throw e;
        }
        readSlowLog();
    }

    /** Reads the settings of the slow log, once and not with each command; version 1 has taken what is no number. */
    private void readSlowLog() {
        long micros = number(told.get(SLOWER_THAN), SlowLog.DEFAULT_MICROS);
        slowNanos = micros < 0 ? Long.MAX_VALUE : TimeUnit.MICROSECONDS.toNanos(micros);
        slowLogLength = Math.clamp(number(told.get(SLOW_LENGTH), SlowLog.DEFAULT_LENGTH), 0, MAX_SLOW_LENGTH);
    }

    private static long number(@Nullable String text, long otherwise) {
        try {
            return text == null ? otherwise : Long.parseLong(text);
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    /** Returns how long a command takes that is slow. */
    long slowNanos() {
        return slowNanos;
    }

    /** Returns how many slow ones are kept. */
    int slowLogLength() {
        return slowLogLength;
    }

    private void set(String name, String value) {
        switch (name) {
            case "maxmemory" -> maxMemory = bytes(value);
            case "maxmemory-policy" -> {
                if (!(" " + POLICIES + " ").contains(" " + value.toLowerCase(Locale.ROOT) + " ")) {
                    throw new RedisError("ERR CONFIG SET failed - maxmemory-policy is one of " + POLICIES);
                }
                policy = value.toLowerCase(Locale.ROOT);
            }
            default -> setTold(name, value);
        }
    }

    private void setTold(String name, String value) {
        String fixed = switch (name) {
            case "databases" -> Integer.toString(database.count());
            case LONGEST -> Integer.toString(database.maxValue());
            default -> FIXED.get(name);
        };
        if (fixed != null && !fixed.equals(value)) {
            throw new RedisError(
                    "ERR CONFIG SET failed (possibly related to argument '" + name + "') - can't set immutable config");
        }
        // A log of version 1, when there was one database, has refused the others.
        boolean isKnown = TOLD.containsKey(name) || database.count() > 1 && TOLD_SINCE_2.containsKey(name);
        if (fixed == null && !isKnown) {
            throw new RedisError("ERR Unknown option or number of arguments for CONFIG SET - '" + name + "'");
        }
        if (name.equals("notify-keyspace-events") && !value.isEmpty()) {
            throw new RedisError("ERR CONFIG SET failed - there are no notifications of changes of keys");
        }
        if (database.count() > 1) {
            switch (name) {
                case SLOWER_THAN -> requireNumber(name, value, -1, Long.MAX_VALUE);
                case SLOW_LENGTH -> requireNumber(name, value, 0, MAX_SLOW_LENGTH);
                default -> {
                    // All is taken.
                }
            }
        }
        if (fixed == null) {
            told.put(name, value);
        }
    }

    private static void requireNumber(String name, String value, long min, long max) {
        byte[] bytes = value.getBytes(StandardCharsets.ISO_8859_1);
        RedisError otherwise = new RedisError("ERR CONFIG SET failed (possibly related to argument '" + name
                + "') - argument couldn't be parsed into an integer");
        long number = Numbers.parse(MemorySegment.ofArray(bytes), 0, bytes.length, otherwise);
        if (number < min || number > max) {
            throw new RedisError("ERR CONFIG SET failed (possibly related to argument '" + name
                    + "') - argument must be between " + min + " and " + max + " inclusive");
        }
    }

    private static long bytes(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (lower.startsWith("-")) {
            throw new RedisError("ERR CONFIG SET failed - argument must be a memory value");
        }
        String[] units = {"gb", "mb", "kb", "g", "m", "k", "b"};
        long[] sizes = {1L << 30, 1L << 20, 1L << 10, 1_000_000_000, 1_000_000, 1_000, 1};
        try {
            for (int i = 0; i < units.length; i++) {
                if (lower.endsWith(units[i])) {
                    return Math.multiplyExact(
                            Long.parseLong(lower.substring(0, lower.length() - units[i].length())), sizes[i]);
                }
            }
            return Long.parseLong(lower);
        } catch (ArithmeticException | NumberFormatException e) {
            throw new RedisError("ERR CONFIG SET failed - argument must be a memory value");
        }
    }

    private void memory(Words words, Reply reply) {
        if (!words.is(0, "USAGE") || words.count() < 2) {
            throw new RedisError("ERR unknown subcommand or wrong number of arguments for '" + words.text(0)
                    + "'. Try MEMORY HELP.");
        }
        long record = database.find(words, 1);
        if (record == 0) {
            reply.nothing();
        } else {
            reply.integer(database.bytesOf(record));
        }
    }

    long hash() {
        return (maxMemory * 31 + policy.hashCode()) * 31 + told.hashCode();
    }

    void save(StateOutput output) {
        output.writeLong(maxMemory);
        output.writeString(policy);
        output.writeLong(evicted);
        output.writeInt(told.size());
        told.forEach((name, value) -> {
            output.writeString(name);
            output.writeString(value);
        });
    }

    void load(StateInput input) {
        maxMemory = input.readLong();
        policy = input.readString();
        evicted = input.readLong();
        for (int left = input.readInt(); left > 0; left--) {
            told.put(input.readString(), input.readString());
        }
        readSlowLog();
    }
}
