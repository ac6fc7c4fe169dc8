package io.slipstream.keyvalue.value;

import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A stream: entries in the order of their ids, each a list of fields and values, and the groups that read it. */
public final class StreamValue implements Value {
    /** Number of this type. */
    public static final byte TYPE = 5;

    private static final int OVERHEAD = 120;
    private static final int FIELD_OVERHEAD = 32;

    private final NavigableMap<StreamId, List<Bytes>> entries = new TreeMap<>();
    private final NavigableMap<Bytes, StreamGroup> groups = new TreeMap<>();
    private StreamId last = StreamId.ZERO;
    private StreamId lastDeleted = StreamId.ZERO;
    private long added;
    private long content;
    private long bytes;

    /** Creates an empty stream. */
    public StreamValue() {}

    @Override
    public int size() {
        return entries.size();
    }

    /** Returns false: a stream remembers its last id and its groups when all entries have gone. */
    @Override
    public boolean isNothing() {
        return false;
    }

    @Override
    public byte type() {
        return TYPE;
    }

    @Override
    public String encoding() {
        return "stream";
    }

    @Override
    public long contentHash() {
        long hash = content + Bytes.mix((last.mixed() * 31 + lastDeleted.mixed()) * 31 + added);
        for (StreamGroup group : groups.values()) {
            hash += group.contentHash();
        }
        return hash;
    }

    @Override
    public long bytes() {
        long sum = OVERHEAD + bytes;
        for (StreamGroup group : groups.values()) {
            sum += group.bytes();
        }
        return sum;
    }

    /** Returns the entries by id. */
    public NavigableMap<StreamId, List<Bytes>> entries() {
        return Collections.unmodifiableNavigableMap(entries);
    }

    /** Returns the greatest id that an entry ever had. */
    public StreamId last() {
        return last;
    }

    /** Returns the greatest id of an entry that was removed by its id. */
    public StreamId lastDeleted() {
        return lastDeleted;
    }

    /** Returns how many entries there ever were. */
    public long added() {
        return added;
    }

    /** Sets what is remembered of entries that are gone. */
    public void remember(StreamId newLast, StreamId newLastDeleted, long newAdded) {
        last = newLast;
        lastDeleted = newLastDeleted;
        added = newAdded;
    }

    /** Adds an entry, whose id is greater than {@link #last}: fields and values by turns. */
    public void add(StreamId id, List<Bytes> pairs) {
        put(id, pairs);
        last = id;
        added++;
    }

    private void put(StreamId id, List<Bytes> pairs) {
        entries.put(id, pairs);
        content += mixed(id, pairs);
        bytes += bytes(pairs);
    }

    /** Removes an entry by its id; returns whether it was there. */
    public boolean remove(StreamId id) {
        boolean isThere = drop(id);
        if (isThere && id.isAfter(lastDeleted)) {
            lastDeleted = id;
        }
        return isThere;
    }

    /** Removes the first entry, if there is one. */
    public void removeFirst() {
        if (!entries.isEmpty()) {
            drop(entries.firstKey());
        }
    }

    private boolean drop(StreamId id) {
        List<Bytes> gone = entries.remove(id);
        if (gone != null) {
            content -= mixed(id, gone);
            bytes -= bytes(gone);
        }
        return gone != null;
    }

    /** Returns the groups by name. */
    public NavigableMap<Bytes, StreamGroup> groups() {
        return Collections.unmodifiableNavigableMap(groups);
    }

    /** Returns the group of that name, or null. */
    public @Nullable StreamGroup group(Bytes name) {
        return groups.get(name);
    }

    /** Makes a group; returns whether there was none of that name. */
    public boolean addGroup(Bytes name, StreamId lastDelivered, long read) {
        return groups.putIfAbsent(name, new StreamGroup(name, lastDelivered, read)) == null;
    }

    /** Removes a group; returns whether it was there. */
    public boolean removeGroup(Bytes name) {
        return groups.remove(name) != null;
    }

    /** Returns whether entries from {@code from} on may have been removed by their ids. */
    public boolean mayMissFrom(StreamId from) {
        return !entries.isEmpty()
                && !lastDeleted.equals(StreamId.ZERO)
                && !entries.firstKey().isAfter(lastDeleted)
                && !from.isAfter(lastDeleted);
    }

    /** Returns how many entries there ever were up to that one, or {@link StreamGroup#UNKNOWN}. */
    public long distance(StreamId id) {
        if (added == 0) {
            return 0;
        }
        if (entries.isEmpty() && !id.isAfter(last) || id.equals(last)) {
            return added;
        }
        if (id.isAfter(last)) {
            return StreamGroup.UNKNOWN;
        }
        StreamId first = entries.firstKey();
        boolean isWhole = lastDeleted.equals(StreamId.ZERO) || first.isAfter(lastDeleted);
        if (isWhole && !id.isAfter(first)) {
            return added - entries.size() + (id.equals(first) ? 1 : 0);
        }
        return StreamGroup.UNKNOWN;
    }

    /** Notes that a group has read an entry. */
    public void advance(StreamGroup group, StreamId id) {
        if (id.isAfter(group.lastDelivered())) {
            boolean counts = group.read() != StreamGroup.UNKNOWN && !mayMissFrom(id);
            group.seek(id, counts ? group.read() + 1 : added > 0 ? distance(id) : group.read());
        }
    }

    /** Returns how many entries a group has not read, if known; negative if it was told that it has read more. */
    public OptionalLong lag(StreamGroup group) {
        if (added == 0) {
            return OptionalLong.of(0);
        }
        long read = group.read() != StreamGroup.UNKNOWN && !mayMissFrom(group.lastDelivered())
                ? group.read()
                : distance(group.lastDelivered());
        return read == StreamGroup.UNKNOWN ? OptionalLong.empty() : OptionalLong.of(added - read);
    }

    StreamValue copy() {
        StreamValue copy = new StreamValue();
        entries.forEach(copy::put);
        copy.remember(last, lastDeleted, added);
        groups.forEach((name, group) -> copy.groups.put(name, group.copy(name)));
        return copy;
    }

    private static long mixed(StreamId id, List<Bytes> pairs) {
        long hash = id.mixed();
        for (Bytes each : pairs) {
            hash = hash * 31 + each.mixed();
        }
        return Bytes.mix(hash);
    }

    private static long bytes(List<Bytes> pairs) {
        long sum = OVERHEAD;
        for (Bytes each : pairs) {
            sum += each.array().length + FIELD_OVERHEAD;
        }
        return sum;
    }

    @Override
    public void save(StateOutput output) {
        last.save(output);
        lastDeleted.save(output);
        output.writeLong(added);
        output.writeInt(entries.size());
        entries.forEach((id, pairs) -> {
            id.save(output);
            output.writeInt(pairs.size());
            pairs.forEach(each -> output.writeBytes(each.array()));
        });
        output.writeInt(groups.size());
        groups.forEach((name, group) -> {
            output.writeBytes(name.array());
            group.save(output);
        });
    }

    static StreamValue load(StateInput input) {
        StreamValue stream = new StreamValue();
        stream.remember(StreamId.load(input), StreamId.load(input), input.readLong());
        for (int left = input.readInt(); left > 0; left--) {
            StreamId id = StreamId.load(input);
            Bytes[] pairs = new Bytes[input.readInt()];
            for (int i = 0; i < pairs.length; i++) {
                pairs[i] = new Bytes(input.readBytes());
            }
            stream.put(id, List.of(pairs));
        }
        for (int left = input.readInt(); left > 0; left--) {
            Bytes name = new Bytes(input.readBytes());
            stream.groups.put(name, StreamGroup.load(name, input));
        }
        return stream;
    }
}
