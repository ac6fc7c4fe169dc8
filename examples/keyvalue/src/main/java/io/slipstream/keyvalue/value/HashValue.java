package io.slipstream.keyvalue.value;

import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fields and their values, in the order in which the fields came. */
public final class HashValue implements Value {
    /** Number of this type. */
    public static final byte TYPE = 4;

    private static final int OVERHEAD = 112;

    private final Map<Bytes, byte[]> fields = new LinkedHashMap<>();
    private long hash;
    private long bytes;

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
                        && fields().entrySet().stream()
                                .allMatch(field -> field.getKey().array().length <= 64 && field.getValue().length <= 64)
                ? "listpack"
                : "hashtable";
    }

    @Override
    public long contentHash() {
        return hash;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    /** Returns the fields; not to be changed. */
    public Map<Bytes, byte[]> fields() {
        return fields;
    }

    /** Returns the value of a field, or null. */
    public byte @Nullable [] get(Bytes field) {
        return fields.get(field);
    }

    /** Sets a field; returns whether it is new. */
    public boolean put(Bytes field, byte[] value) {
        byte[] former = fields.put(field, value);
        if (former != null) {
            count(field, former, -1);
        }
        count(field, value, 1);
        return former == null;
    }

    /** Removes a field; returns whether it was there. */
    public boolean remove(Bytes field) {
        byte[] former = fields.remove(field);
        if (former != null) {
            count(field, former, -1);
        }
        return former != null;
    }

    private void count(Bytes field, byte[] value, int sign) {
        hash += sign * Bytes.mix(field.mixed() * 31 + Bytes.mix(value));
        bytes += sign * (long) (field.array().length + value.length + OVERHEAD);
    }

    @Override
    public void save(StateOutput output) {
        output.writeInt(fields.size());
        fields.forEach((field, value) -> {
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
