package io.slipstream.grid;

import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.service.typed.Context;
import io.slipstream.service.typed.TypedMachine;
import java.util.Arrays;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The map itself. Its only thread applies puts, removals and processors one after the other, so each is atomic with
 * respect to all others without a lock.
 */
public final class GridMachine<V> extends TypedMachine {
    /** The topic of all changes. */
    static final long CHANGES = 0;

    private final GridType<V> type;
    private final SortedMap<String, V> entries = new TreeMap<>();
    private long hash;

    GridMachine(GridType<V> type) {
        super(type.contract());
        this.type = type;
        on(Put.class, this::put);
        on(Remove.class, (remove, context) -> new Value(change(remove.key(), null, context)));
        answer(Get.class, (get, context) -> new Value(type.encode(entries.get(get.key()))));
        type.processors().forEach(this::register);
    }

    @SuppressWarnings("unchecked")
    private <R> void register(Class<? extends Processor<V, ?>> processor) {
        on((Class<Processor<V, R>>) processor, this::process);
    }

    private Value put(Put put, Context context) {
        V value;
        try {
            value = type.values().fromBytes(put.value());
        } catch (RuntimeException e) {
            return context.reject("the value is none of this map: " + e.getMessage());
        }
        return new Value(change(put.key(), value, context));
    }

    private <R> R process(Processor<V, R> processor, Context context) {
        try {
            Entry<V> entry = new Entry<>(processor.key(), entries.get(processor.key()));
            R reply = Objects.requireNonNull(processor.process(entry), "it answered null");
            // A reply that cannot be sent is found before anything is changed.
            contract().operation(processor.getClass()).replyCodec().toBytes(reply);
            if (entry.changed()) {
                change(entry.key(), entry.value(), context);
            }
            return reply;
        } catch (RuntimeException e) {
            String why = e.getMessage() == null ? e.getClass().getName() : e.getMessage();
            return context.reject(processor.getClass().getSimpleName() + " of " + processor.key() + ": " + why);
        }
    }

    /** Publishes a change and makes it, or throws and does neither; returns the former value. */
    private byte @Nullable [] change(String key, @Nullable V value, Context context) {
        byte[] before = type.encode(entries.get(key));
        byte[] after = type.encode(value);
        if (before != null || after != null) {
            context.publish(CHANGES, new Changed(key, before, after));
            hash += hash(key, after) - hash(key, before);
            if (value == null) {
                entries.remove(key);
            } else {
                entries.put(key, value);
            }
        }
        return before;
    }

    @Override
    protected void onSubscribe(long topic, Context context) {
        if (topic == CHANGES) {
            entries.forEach((key, value) -> context.publish(topic, new Changed(key, null, type.encode(value))));
        }
    }

    /** A sum over the entries, so that it is the same in whatever order they came. */
    @Override
    public long stateHash() {
        return hash;
    }

    @Override
    public void save(StateOutput output) {
        output.writeInt(entries.size());
        entries.forEach((key, value) -> {
            output.writeString(key);
            output.writeBytes(type.values().toBytes(value));
        });
    }

    @Override
    public void load(StateInput input, int version) {
        entries.clear();
        hash = 0;
        for (int left = input.readInt(); left > 0; left--) {
            String key = input.readString();
            byte[] value = input.readBytes();
            entries.put(key, type.values().fromBytes(value));
            hash += hash(key, value);
        }
    }

    /** The finalizer of SplitMix64 (Steele, Lea, Flood 2014) of an entry; 0 if there is none. */
    private static long hash(String key, byte @Nullable [] value) {
        if (value == null) {
            return 0;
        }
        long z = ((long) key.hashCode() << Integer.SIZE) + Arrays.hashCode(value);
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
