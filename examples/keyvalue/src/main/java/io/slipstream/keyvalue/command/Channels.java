package io.slipstream.keyvalue.command;

import io.slipstream.keyvalue.resp.Glob;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Reply;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.keyvalue.session.Holdings;
import io.slipstream.keyvalue.session.Subscriptions;
import io.slipstream.keyvalue.value.Bytes;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who listens to which channels and patterns, and what is published to them. */
final class Channels {
    /** More than what a message has besides its words. */
    private static final int FRAMING_BYTES = 64;

    /** Each publication is compared with all of them. */
    private static final int MAX_PATTERNS = 10_000;

    private static final int MAX_CHANNEL = 1024;

    /** One that gets what is published to a channel; by a pattern, unless that is null. */
    private record Listener(
            long session, int protocol, @Nullable Bytes pattern) {}

    private final Sessions sessions;
    private final Holdings holdings;
    private final Map<Bytes, Glob> globs = new HashMap<>();
    private final Subscriptions channels;
    private final Subscriptions patterns;
    private final Reply push = new Reply();

    Channels(Sessions sessions, Holdings holdings, Map<RedisCommand, Handler> handlers) {
        this.sessions = sessions;
        this.holdings = holdings;
        channels = new Subscriptions(holdings, Channels::weight);
        patterns = new Subscriptions(holdings, pattern -> weight(pattern, glob(pattern)));
        handlers.put(RedisCommand.SUBSCRIBE, this::joinChannels);
        handlers.put(RedisCommand.PSUBSCRIBE, this::joinPatterns);
        handlers.put(RedisCommand.UNSUBSCRIBE, (words, reply) -> leave(words, reply, "unsubscribe", channels));
        handlers.put(RedisCommand.PUNSUBSCRIBE, (words, reply) -> leave(words, reply, "punsubscribe", patterns));
        handlers.put(RedisCommand.PUBLISH, this::publish);
        handlers.put(RedisCommand.PUBSUB, this::report);
    }

    private void joinChannels(Words words, Reply reply) {
        List<Bytes> names = names(words);
        names.forEach(Channels::requireShort);
        holdings.require(names.stream().mapToLong(Channels::weight).sum());
        requireRoom(names, "subscribe", reply);
        join(names, reply, "subscribe", channels);
    }

    private void joinPatterns(Words words, Reply reply) {
        List<Bytes> names = names(words);
        long others = patterns.names().size()
                + names.stream().filter(name -> !patterns.has(name)).distinct().count();
        if (others > MAX_PATTERNS) {
            throw new RedisError("ERR there would be " + others + " patterns, and at most " + MAX_PATTERNS
                    + " are taken of all clients");
        }
        // All before any, so that one that is refused leaves none behind.
        Map<Bytes, Glob> compiled = new HashMap<>();
        for (Bytes pattern : names) {
            Glob present = globs.get(pattern);
            compiled.put(pattern, present == null ? new Glob(pattern.array()) : present);
        }
        holdings.require(compiled.entrySet().stream()
                .mapToLong(each -> weight(each.getKey(), each.getValue()))
                .sum());
        requireRoom(names, "psubscribe", reply);
        globs.putAll(compiled);
        join(names, reply, "psubscribe", patterns);
    }

    private void join(List<Bytes> names, Reply reply, String kind, Subscriptions to) {
        long session = sessions.session();
        for (Bytes name : names) {
            to.add(session, name, reply.isThird() ? 3 : 2);
            reply.push(3).bulk(kind).bulk(name.array()).integer(count(session));
        }
    }

    private void leave(Words words, Reply reply, String kind, Subscriptions from) {
        long session = sessions.session();
        List<Bytes> names = names(words);
        if (names.isEmpty()) {
            names.addAll(from.of(session));
        }
        requireRoom(names, kind, reply);
        for (Bytes name : names) {
            drop(session, name, from);
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

    private void drop(long session, Bytes name, Subscriptions from) {
        from.remove(session, name);
        if (from == patterns && !patterns.has(name)) {
            globs.remove(name);
        }
    }

    private Glob glob(Bytes pattern) {
        return globs.computeIfAbsent(pattern, p -> new Glob(p.array()));
    }

    private static long weight(Bytes channel) {
        return Holdings.of(channel.array().length);
    }

    private static long weight(Bytes pattern, Glob glob) {
        return Holdings.of(pattern.array().length) + glob.bytes();
    }

    /** The longer a channel, the longer takes each pattern to see whether it matches. */
    private static void requireShort(Bytes channel) {
        int length = channel.array().length;
        if (length > MAX_CHANNEL) {
            throw new RedisError("ERR the channel has " + length + " bytes, and at most " + MAX_CHANNEL + " are taken");
        }
    }

    /** Returns whether a session listens to anything. */
    boolean isListening(long session) {
        return count(session) > 0;
    }

    private long count(long session) {
        return channels.count(session) + patterns.count(session);
    }

    /** Forgets what a session listens to. */
    void end(long session) {
        channels.of(session).forEach(name -> drop(session, name, channels));
        patterns.of(session).forEach(name -> drop(session, name, patterns));
    }

    private void publish(Words words, Reply reply) {
        Bytes channel = new Bytes(words.bytes(0));
        requireShort(channel);
        byte[] message = words.bytes(1);
        List<Listener> listeners = listeners(channel);
        // Before the first gets it, so that all do, or nobody.
        listeners.forEach(each -> requireFits(each.session, channel, message, each.pattern));
        for (Listener each : listeners) {
            push.begin(each.protocol);
            if (each.pattern == null) {
                push.push(3).bulk("message");
            } else {
                push.push(4).bulk("pmessage").bulk(each.pattern.array());
            }
            sessions.push(each.session, push.bulk(channel.array()).bulk(message));
        }
        reply.integer(listeners.size());
    }

    private List<Listener> listeners(Bytes channel) {
        List<Listener> found = new ArrayList<>();
        channels.listeners(channel).forEach((session, protocol) -> found.add(new Listener(session, protocol, null)));
        for (Bytes pattern : patterns.names()) {
            if (glob(pattern).matches(channel.array())) {
                patterns.listeners(pattern)
                        .forEach((session, protocol) -> found.add(new Listener(session, protocol, pattern)));
            }
        }
        return found;
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
            List<Bytes> found = channels.names().stream()
                    .filter(name -> glob == null || glob.matches(name.array()))
                    .toList();
            reply.array(found.size());
            found.forEach(name -> reply.bulk(name.array()));
        } else if (words.is(0, "NUMSUB")) {
            reply.array(2L * (words.count() - 1));
            for (int i = 1; i < words.count(); i++) {
                reply.bulk(words.bytes(i))
                        .integer(channels.listeners(new Bytes(words.bytes(i))).size());
            }
        } else if (words.is(0, "NUMPAT") && words.count() == 1) {
            reply.integer(patterns.names().size());
        } else {
            throw new RedisError("ERR unknown subcommand or wrong number of arguments for '" + words.text(0)
                    + "'. Try PUBSUB HELP.");
        }
    }

    void save(StateOutput output) {
        channels.save(output);
        patterns.save(output);
    }

    void load(StateInput input) {
        channels.load(input);
        patterns.load(input);
    }
}
