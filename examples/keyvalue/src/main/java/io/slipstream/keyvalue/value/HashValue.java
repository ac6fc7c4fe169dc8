package io.slipstream.keyvalue.value;

import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Fields and their values, in the order in which the fields came. */
public final class HashValue implements Value {
    /** Number of this type. */
    public static final byte TYPE = 4;

    private static final int OVERHEAD = 112;
    private static final byte[] NONE = {};

    private final Places<Field> fields = new Places<>(Field::name, true);
    private long hash;
    private long bytes;

    /** A field and its value. */
    public static final class Field {
        private final Bytes name;
        private byte[] value;
        private long mixed;

        private Field(Bytes name) {
            this.name = name;
            this.value = NONE;
        }

        private void set(byte[] newValue) {
            value = newValue;
            mixed = Bytes.mix(name.mixed() * 31 + Bytes.mix(newValue));
        }

        /** Returns the name. */
        public Bytes name() {
            return name;
        }

        /** Returns the value; not to be changed. */
        public byte[] value() {
            return value;
        }
    }

    /** Creates a hash without fields. */
    public HashValue() {}

    @Override
    public int size() {
        return fields.size();
    }

    @Override
    public byte type() {
        return TYPE;
    }

    @Override
    public String encoding() {
        return size() <= 512
                        && fields().stream()
                                .allMatch(field -> field.name.array().length <= 64 && field.value.length <= 64)
                ? "listpack"
                : "hashtable";
    }

    @Override
    public int touch(int nameHash) {
        return fields.touch(nameHash);
    }

    @Override
    public long contentHash() {
        return hash;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    /** Returns the fields in the order in which they came, as they are at any time. */
    public List<Field> fields() {
        return fields.all();
    }

    /** Hands out the fields in the order in which they came. */
    public void forEach(BiConsumer<Bytes, byte[]> visitor) {
        fields.all().forEach(field -> visitor.accept(field.name, field.value));
    }

    /**
     * Hands out some fields: what is there from the first call, with cursor 0, to the one that returns 0 comes at least
     * once.
     *
     * @param cursor 0 to begin, else what the call before has returned
     * @return the cursor of the next call; 0 at the end
     */
    public long scan(long cursor, long count, Consumer<Field> visitor) {
        return fields.scan(cursor, count, visitor);
    }

    /** Returns the value of a field, or null. */
    public byte @Nullable [] get(Bytes field) {
        Field found = fields.find(field);
        return found == null ? null : found.value;
    }

    /** Sets a field; returns whether it is new. */
    public boolean put(Bytes field, byte[] value) {
        Field present = fields.find(field);
        if (present != null) {
            count(present, -1);
            present.set(value);
            count(present, 1);
            return false;
        }
        Field added = new Field(field);
        added.set(value);
        count(added, 1);
        fields.add(added);
        return true;
    }

    /** Removes a field; returns whether it was there. */
    public boolean remove(Bytes field) {
        Field former = fields.remove(field);
        if (former != null) {
            count(former, -1);
        }
        return former != null;
    }

    private void count(Field field, int sign) {
        hash += sign * field.mixed;
        bytes += sign * (long) (field.name.array().length + field.value.length + OVERHEAD);
    }

    @Override
    public void save(StateOutput output) {
        output.writeInt(size());
        forEach((field, value) -> {
            output.writeBytes(field.array());
            output.writeBytes(value);
        });
    }

    static HashValue load(StateInput input) {
        HashValue loaded = new HashValue();
        for (int left = input.readInt(); left > 0; left--) {
            loaded.put(new Bytes(input.readBytes()), input.readBytes());
        }
        return loaded;
    }
}
