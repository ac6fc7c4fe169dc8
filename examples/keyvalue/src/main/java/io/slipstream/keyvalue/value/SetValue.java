package io.slipstream.keyvalue.value;

import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Members, each at a place; the last one takes the place of one that is removed. */
public final class SetValue implements Value {
    /** Number of this type. */
    public static final byte TYPE = 2;

    private static final int OVERHEAD = 100;

    private final List<Bytes> members = new ArrayList<>();
    private final Map<Bytes, Integer> places = new HashMap<>();
    private long hash;
    private long bytes;

    /** Creates an empty set. */
    public SetValue() {}

    @Override
    public int size() {
        return members.size();
    }

    @Override
    public byte type() {
        return TYPE;
    }

    @Override
    public String encoding() {
        return size() <= 512 && members().stream().allMatch(Bytes::isInteger) ? "intset" : "hashtable";
    }

    @Override
    public long contentHash() {
        return hash;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    /** Returns the members by place. */
    public List<Bytes> members() {
        return Collections.unmodifiableList(members);
    }

    /** Hands out some members; as {@link HashValue#scan}. */
    public long scan(long cursor, long count, Consumer<Bytes> visitor) {
        if (size() <= SCANNED_AT_ONCE) {
            members.forEach(visitor);
            return 0;
        }
        // From the last on: what takes the place of a member that is removed was seen, or is still to come.
        int left = cursor <= 0 ? size() : (int) Math.min(cursor, size());
        for (long seen = 0; left > 0 && seen < count; seen++) {
            visitor.accept(members.get(--left));
        }
        return left;
    }

    /** Returns whether there is such a member. */
    public boolean contains(Bytes member) {
        return places.containsKey(member);
    }

    /** Adds a member; returns whether it is new. */
    public boolean add(Bytes member) {
        if (places.putIfAbsent(member, members.size()) != null) {
            return false;
        }
        members.add(member);
        hash += Bytes.mix(member.mixed());
        bytes += member.array().length + OVERHEAD;
        return true;
    }

    /** Removes a member; returns whether it was there. */
    public boolean remove(Bytes member) {
        Integer place = places.remove(member);
        if (place == null) {
            return false;
        }
        Bytes last = members.removeLast();
        if (place < members.size()) {
            members.set(place, last);
            places.put(last, place);
        }
        hash -= Bytes.mix(member.mixed());
        bytes -= member.array().length + OVERHEAD;
        return true;
    }

    @Override
    public void save(StateOutput output) {
        output.writeInt(members.size());
        members.forEach(member -> output.writeBytes(member.array()));
    }

    static SetValue load(StateInput input) {
        SetValue set = new SetValue();
        for (int left = input.readInt(); left > 0; left--) {
            set.add(new Bytes(input.readBytes()));
        }
        return set;
    }
}
