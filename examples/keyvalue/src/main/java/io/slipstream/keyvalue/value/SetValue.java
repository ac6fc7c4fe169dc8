package io.slipstream.keyvalue.value;

import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.util.List;
import java.util.function.Consumer;

/** Members, each at a place; the last one takes the place of one that is removed. */
public final class SetValue implements Value {
    /** Number of this type. */
    public static final byte TYPE = 2;

    private static final int OVERHEAD = 100;

    private final Places<Bytes> members = new Places<>(member -> member, false);
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
    public int touch(int nameHash) {
        return members.touch(nameHash);
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
        return members.all();
    }

    /** Hands out some members; as {@link HashValue#scan}. */
    public long scan(long cursor, long count, Consumer<Bytes> visitor) {
        return members.scan(cursor, count, visitor);
    }

    /** Returns whether there is such a member. */
    public boolean contains(Bytes member) {
        return members.find(member) != null;
    }

    /** Adds a member; returns whether it is new. */
    public boolean add(Bytes member) {
        if (contains(member)) {
            return false;
        }
        members.add(member);
        hash += Bytes.mix(member.mixed());
        bytes += member.array().length + OVERHEAD;
        return true;
    }

    /** Removes a member; returns whether it was there. */
    public boolean remove(Bytes member) {
        if (members.remove(member) == null) {
            return false;
        }
        hash -= Bytes.mix(member.mixed());
        bytes -= member.array().length + OVERHEAD;
        return true;
    }

    @Override
    public void save(StateOutput output) {
        output.writeInt(members.size());
        members().forEach(member -> output.writeBytes(member.array()));
    }

    static SetValue load(StateInput input) {
        SetValue set = new SetValue();
        for (int left = input.readInt(); left > 0; left--) {
            set.add(new Bytes(input.readBytes()));
        }
        return set;
    }
}
