package io.slipstream.keyvalue.command;

import io.slipstream.keyvalue.resp.Glob;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Reply;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.keyvalue.value.Bytes;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Who listens to which channels and patterns, and what is published to them. */
final class Channels {
    /** More than what a message has besides its words. */
    private static final int FRAMING_BYTES = 64;

    /** One that gets what is published to a channel; by a pattern, unless that is null. */
    @FunctionalInterface
    private interface Listener {
        void on(long session, int protocol, @Nullable Bytes pattern);
    }

    private final Sessions sessions;
    private final Map<Bytes, Map<Long, Integer>> channels = new TreeMap<>();
    private final Map<Bytes, Map<Long, Integer>> patterns = new TreeMap<>();
    private final Map<Bytes, Glob> globs = new HashMap<>();
    private final Map<Long, Set<Bytes>> channelsOf = new TreeMap<>();
    private final Map<Long, Set<Bytes>> patternsOf = new TreeMap<>();
    private final Reply push = new Reply();

    Channels(Sessions sessions, Map<RedisCommand, Handler> handlers) {
        this.sessions = sessions;
        handlers.put(RedisCommand.SUBSCRIBE, (words, reply) -> join(words, reply, "subscribe", channels, channelsOf));
        handlers.put(RedisCommand.PSUBSCRIBE, this::joinPatterns);
        handlers.put(
                RedisCommand.UNSUBSCRIBE, (words, reply) -> leave(words, reply, "unsubscribe", channels, channelsOf));
        handlers.put(
                RedisCommand.PUNSUBSCRIBE, (words, reply) -> leave(words, reply, "punsubscribe", patterns, patternsOf));
        handlers.put(RedisCommand.PUBLISH, this::publish);
        handlers.put(RedisCommand.PUBSUB, this::report);
    }

    private void joinPatterns(Words words, Reply reply) {
        // All before any, so that one that is refused leaves none behind.
        Map<Bytes, Glob> compiled = new HashMap<>();
        for (int i = 0; i < words.count(); i++) {
            Bytes pattern = new Bytes(words.bytes(i));
            compiled.put(pattern, globs.containsKey(pattern) ? globs.get(pattern) : new Glob(pattern.array()));
        }
        globs.putAll(compiled);
        join(words, reply, "psubscribe", patterns, patternsOf);
    }

    private void join(
            Words words, Reply reply, String kind, Map<Bytes, Map<Long, Integer>> all, Map<Long, Set<Bytes>> own) {
        long session = sessions.session();
        List<Bytes> names = names(words);
        requireRoom(names, kind, reply);
        for (Bytes name : names) {
            all.computeIfAbsent(name, n -> new LinkedHashMap<>()).put(session, reply.isThird() ? 3 : 2);
            own.computeIfAbsent(session, s -> new TreeSet<>()).add(name);
            reply.push(3).bulk(kind).bulk(name.array()).integer(count(session));
        }
    }

    private void leave(
            Words words, Reply reply, String kind, Map<Bytes, Map<Long, Integer>> all, Map<Long, Set<Bytes>> own) {
        long session = sessions.session();
        List<Bytes> names = names(words);
        if (names.isEmpty()) {
            names.addAll(own.getOrDefault(session, Set.of()));
        }
        requireRoom(names, kind, reply);
        for (Bytes name : names) {
            drop(session, name, all, own);
            reply.push(3).bulk(kind).bulk(name.array()).integer(count(session));
        }
        if (names.isEmpty()) {
            reply.push(3).bulk(kind).nothing().integer(count(session));
        }
    }

    private static List<Bytes> names(Words words) {
        List<Bytes> names = new ArrayList<>();
        for (int i = 0; i < words.count(); i++) {
            names.add(new Bytes(words.bytes(i)));
        }
        return names;
    }

    /** Each name is told with the kind, a count, and their lengths. */
    private static void requireRoom(List<Bytes> names, String kind, Reply reply) {
        long bytes = 0;
        for (Bytes name : names) {
            bytes += kind.length() + name.array().length + FRAMING_BYTES;
        }
        reply.require(bytes);
    }

    private void drop(long session, Bytes name, Map<Bytes, Map<Long, Integer>> all, Map<Long, Set<Bytes>> own) {
        Map<Long, Integer> listeners = all.get(name);
        if (listeners != null) {
            listeners.remove(session);
            if (listeners.isEmpty()) {
                all.remove(name);
                if (all == patterns) {
                    globs.remove(name);
                }
            }
        }
        Set<Bytes> names = own.get(session);
        if (names != null) {
            names.remove(name);
            if (names.isEmpty()) {
                own.remove(session);
            }
        }
    }

    /** Returns whether a session listens to anything. */
    boolean isListening(long session) {
        return count(session) > 0;
    }

    private long count(long session) {
        return channelsOf.getOrDefault(session, Set.of()).size()
                + patternsOf.getOrDefault(session, Set.of()).size();
    }

    /** Forgets what a session listens to. */
    void end(long session) {
        for (Bytes name : List.copyOf(channelsOf.getOrDefault(session, Set.of()))) {
            drop(session, name, channels, channelsOf);
        }
        for (Bytes name : List.copyOf(patternsOf.getOrDefault(session, Set.of()))) {
            drop(session, name, patterns, patternsOf);
        }
    }

    private void publish(Words words, Reply reply) {
        Bytes channel = new Bytes(words.bytes(0));
        byte[] message = words.bytes(1);
        // Before the first gets it, so that all do, or nobody.
        forEachListener(channel, (session, protocol, pattern) -> requireFits(session, channel, message, pattern));
        int[] receivers = {0};
        forEachListener(channel, (session, protocol, pattern) -> {
            push.begin(protocol);
            if (pattern == null) {
                push.push(3).bulk("message");
            } else {
                push.push(4).bulk("pmessage").bulk(pattern.array());
            }
            sessions.push(session, push.bulk(channel.array()).bulk(message));
            receivers[0]++;
        });
        reply.integer(receivers[0]);
    }

    private void forEachListener(Bytes channel, Listener what) {
        channels.getOrDefault(channel, Map.of()).forEach((session, protocol) -> what.on(session, protocol, null));
        patterns.forEach((pattern, listeners) -> {
            Glob glob = globs.get(pattern);
            if (glob != null && glob.matches(channel.array())) {
                listeners.forEach((session, protocol) -> what.on(session, protocol, pattern));
            }
        });
    }

    private void requireFits(long session, Bytes channel, byte[] message, @Nullable Bytes pattern) {
        long bytes = (long) channel.array().length
                + message.length
                + (pattern == null ? 0 : pattern.array().length)
                + FRAMING_BYTES;
        if (bytes > sessions.longest(session)) {
            throw new RedisError("ERR the message is too long for one who listens, so nobody gets it");
        }
    }

    private void report(Words words, Reply reply) {
        if (words.is(0, "CHANNELS") && words.count() <= 2) {
            Glob glob = words.count() == 1 ? null : new Glob(words.bytes(1));
            List<Bytes> found = channels.keySet().stream()
                    .filter(name -> glob == null || glob.matches(name.array()))
                    .toList();
            reply.array(found.size());
            found.forEach(name -> reply.bulk(name.array()));
        } else if (words.is(0, "NUMSUB")) {
            reply.array(2L * (words.count() - 1));
            for (int i = 1; i < words.count(); i++) {
                reply.bulk(words.bytes(i))
                        .integer(channels.getOrDefault(new Bytes(words.bytes(i)), Map.of())
                                .size());
            }
        } else if (words.is(0, "NUMPAT") && words.count() == 1) {
            reply.integer(patterns.size());
        } else {
            throw new RedisError("ERR unknown subcommand or wrong number of arguments for '" + words.text(0)
                    + "'. Try PUBSUB HELP.");
        }
    }

    void save(StateOutput output) {
        save(output, channels);
        save(output, patterns);
    }

    private static void save(StateOutput output, Map<Bytes, Map<Long, Integer>> all) {
        output.writeInt(all.size());
        all.forEach((name, listeners) -> {
            output.writeBytes(name.array());
            output.writeInt(listeners.size());
            listeners.forEach((session, protocol) -> {
                output.writeLong(session);
                output.writeInt(protocol);
            });
        });
    }

    void load(StateInput input) {
        load(input, channels, channelsOf);
        load(input, patterns, patternsOf);
        patterns.keySet().forEach(pattern -> globs.put(pattern, new Glob(pattern.array())));
    }

    private static void load(StateInput input, Map<Bytes, Map<Long, Integer>> all, Map<Long, Set<Bytes>> own) {
        for (int left = input.readInt(); left > 0; left--) {
            Bytes name = new Bytes(input.readBytes());
            for (int listeners = input.readInt(); listeners > 0; listeners--) {
                long session = input.readLong();
                all.computeIfAbsent(name, n -> new LinkedHashMap<>()).put(session, input.readInt());
                own.computeIfAbsent(session, s -> new TreeSet<>()).add(name);
            }
        }
    }
}
