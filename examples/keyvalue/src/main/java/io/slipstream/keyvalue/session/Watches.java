package io.slipstream.keyvalue.session;

import io.slipstream.keyvalue.memory.Place;
import io.slipstream.keyvalue.value.Bytes;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** The keys that sessions watch, and which version each of them had then. */
public final class Watches {
    private final Holdings holdings;
    private final Map<Long, Map<Place, Long>> versions = new TreeMap<>();

    /** Creates none. */
    public Watches(Holdings holdings) {
        this.holdings = holdings;
    }

    /** The session watches the key, which has that version, if it did not before. */
    public void add(long session, Place place, long version) {
        if (versions.computeIfAbsent(session, s -> new TreeMap<>()).putIfAbsent(place, version) == null) {
            holdings.add(weight(place));
        }
    }

    /** Ends what a session watches; returns whether none of it was changed meanwhile. */
    public boolean endUnchanged(long session, ToLongFunction<Place> version) {
        Map<Place, Long> own = versions.get(session);
        boolean isUnchanged = own == null
                || own.entrySet().stream().allMatch(each -> version.applyAsLong(each.getKey()) == each.getValue());
        end(session);
        return isUnchanged;
    }

    /** Forgets what a session watches. */
    public void end(long session) {
        Map<Place, Long> own = versions.remove(session);
        if (own != null) {
            own.keySet().forEach(place -> holdings.remove(weight(place)));
        }
    }

    private static long weight(Place place) {
        return Holdings.of(place.key().array().length);
    }

    /** Writes all of it. */
    public void save(StateOutput output) {
        output.writeInt(versions.size());
        versions.forEach((session, own) -> {
            output.writeLong(session);
            output.writeInt(own.size());
            own.forEach((place, version) -> {
                output.writeInt(place.database());
                output.writeBytes(place.key().array());
                output.writeLong(version);
            });
        });
    }

    /** Reads what {@link #save} has written; {@code hasDatabases} says whether numbers of databases are in it. */
    public void load(StateInput input, boolean hasDatabases) {
        for (int left = input.readInt(); left > 0; left--) {
            long session = input.readLong();
            for (int keys = input.readInt(); keys > 0; keys--) {
                int database = hasDatabases ? input.readInt() : 0;
                add(session, new Place(database, new Bytes(input.readBytes())), input.readLong());
            }
        }
    }
}
