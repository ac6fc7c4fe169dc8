package io.slipstream.keyvalue.session;

import io.slipstream.keyvalue.value.Bytes;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/** Which sessions listen to which names, and by which version of the protocol: of channels, or of patterns. */
public final class Subscriptions {
    private final Holdings holdings;
    private final ToLongFunction<Bytes> weight;
    private final Map<Bytes, Map<Long, Integer>> listeners = new TreeMap<>();
    private final Map<Long, Set<Bytes>> names = new TreeMap<>();

    /** Creates none. {@code weight} says how many bytes of memory one session takes by listening to a name. */
    public Subscriptions(Holdings holdings, ToLongFunction<Bytes> weight) {
        this.holdings = holdings;
        this.weight = weight;
    }

    /** The session listens to the name from here on, if it did not before. */
    public void add(long session, Bytes name, int protocol) {
        listeners.computeIfAbsent(name, n -> new LinkedHashMap<>()).put(session, protocol);
        if (names.computeIfAbsent(session, s -> new TreeSet<>()).add(name)) {
            holdings.add(weight.applyAsLong(name));
        }
    }

    /** The session listens to the name no more, if it did. */
    public void remove(long session, Bytes name) {
        Set<Bytes> own = names.get(session);
        Map<Long, Integer> all = listeners.get(name);
        if (own == null || all == null || !own.remove(name)) {
            return;
        }
        holdings.remove(weight.applyAsLong(name));
        if (own.isEmpty()) {
            names.remove(session);
        }
        all.remove(session);
        if (all.isEmpty()) {
            listeners.remove(name);
        }
    }

    /** Returns what a session listens to. */
    public List<Bytes> of(long session) {
        return List.copyOf(names.getOrDefault(session, Set.of()));
    }

    /** Returns how many names a session listens to. */
    public int count(long session) {
        return names.isEmpty() ? 0 : names.getOrDefault(session, Set.of()).size();
    }

    /** Returns all names that somebody listens to, in their order. */
    public Set<Bytes> names() {
        return listeners.keySet();
    }

    /** Returns whether anybody listens to a name. */
    public boolean has(Bytes name) {
        return listeners.containsKey(name);
    }

    /** Returns who listens to a name, in the order in which they came, and by which version of the protocol. */
    public Map<Long, Integer> listeners(Bytes name) {
        return listeners.getOrDefault(name, Map.of());
    }

    /** Writes all of it. */
    public void save(StateOutput output) {
        output.writeInt(listeners.size());
        listeners.forEach((name, all) -> {
            output.writeBytes(name.array());
            output.writeInt(all.size());
            all.forEach((session, protocol) -> {
                output.writeLong(session);
                output.writeInt(protocol);
            });
        });
    }

    /** Reads what {@link #save} has written. */
    public void load(StateInput input) {
        for (int left = input.readInt(); left > 0; left--) {
            Bytes name = new Bytes(input.readBytes());
            for (int all = input.readInt(); all > 0; all--) {
                add(input.readLong(), name, input.readInt());
            }
        }
    }
}
