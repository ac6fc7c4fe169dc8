package io.slipstream.keyvalue.value;

import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.util.Collection;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Consumers that share the entries of a stream: each entry goes to one of them, and is pending until that one has
 * acknowledged it. For one thread.
 */
public final class StreamGroup {
    /** How many entries were read is not known. */
    public static final long UNKNOWN = -1;

    private static final int OVERHEAD = 150;

    private final long name;
    private final NavigableMap<StreamId, Pending> pending = new TreeMap<>();
    private final NavigableMap<Bytes, Consumer> consumers = new TreeMap<>();
    private StreamId lastDelivered;
    private long read;
    private long content;
    private long bytes;

    /** One who reads as a member of the group. */
    public static final class Consumer {
        private final Bytes name;
        private final NavigableMap<StreamId, Pending> pending = new TreeMap<>();
        private long seenMillis;

        private Consumer(Bytes name, long seenMillis) {
            this.name = name;
            this.seenMillis = seenMillis;
        }

        /** Returns its name. */
        public Bytes name() {
            return name;
        }

        /** Returns when it has asked last, in milliseconds since 1970. */
        public long seenMillis() {
            return seenMillis;
        }

        /** Returns what it has not acknowledged, in order. */
        public NavigableMap<StreamId, Pending> pending() {
            return Collections.unmodifiableNavigableMap(pending);
        }

        private long mixed() {
            return Bytes.mix(name.mixed() * 31 + seenMillis);
        }
    }

    /**
     * An entry that was delivered and is not acknowledged.
     *
     * @param id       of the entry
     * @param consumer who has it
     * @param atMillis when it was delivered last, in milliseconds since 1970
     * @param count    how often it was
     */
    public record Pending(StreamId id, Consumer consumer, long atMillis, long count) {
        private long mixed() {
            return Bytes.mix((id.mixed() * 31 + consumer.name.mixed()) * 31 + atMillis * 7 + count);
        }
    }

    StreamGroup(Bytes name, StreamId lastDelivered, long read) {
        this.name = name.mixed();
        this.lastDelivered = lastDelivered;
        this.read = read;
        this.bytes = name.array().length + OVERHEAD;
    }

    /** Returns the last entry that went to one of the consumers. */
    public StreamId lastDelivered() {
        return lastDelivered;
    }

    /** Returns how many entries the group has read, or {@link #UNKNOWN}. */
    public long read() {
        return read;
    }

    /** Sets the place from which the group goes on. */
    public void seek(StreamId last, long entriesRead) {
        lastDelivered = last;
        read = entriesRead;
    }

    /** Returns what is not acknowledged, in order. */
    public NavigableMap<StreamId, Pending> pending() {
        return Collections.unmodifiableNavigableMap(pending);
    }

    /** Returns the consumers by name. */
    public Collection<Consumer> consumers() {
        return Collections.unmodifiableCollection(consumers.values());
    }

    /** Returns the consumer of that name, or null. */
    public @Nullable Consumer consumer(Bytes consumer) {
        return consumers.get(consumer);
    }

    /** Returns the consumer of that name, which asks for something now; made if there is none. */
    public Consumer seen(Bytes consumer, long nowMillis) {
        Consumer present = consumers.get(consumer);
        if (present == null) {
            present = new Consumer(consumer, nowMillis);
            consumers.put(consumer, present);
            bytes += consumer.array().length + OVERHEAD;
        } else {
            content -= present.mixed();
            present.seenMillis = nowMillis;
        }
        content += present.mixed();
        return present;
    }

    /** Removes a consumer with all that it has not acknowledged; returns how much that is, or 0 if there is none. */
    public int remove(Bytes consumer) {
        Consumer gone = consumers.remove(consumer);
        if (gone == null) {
            return 0;
        }
        int left = gone.pending.size();
        for (Pending each : gone.pending.values()) {
            pending.remove(each.id);
            content -= each.mixed();
            bytes -= OVERHEAD;
        }
        content -= gone.mixed();
        bytes -= consumer.array().length + OVERHEAD;
        return left;
    }

    /** Notes that a consumer has an entry, in place of whoever had it. */
    public void deliver(StreamId id, Consumer to, long atMillis, long count) {
        acknowledge(id);
        Pending delivered = new Pending(id, to, atMillis, count);
        pending.put(id, delivered);
        to.pending.put(id, delivered);
        content += delivered.mixed();
        bytes += OVERHEAD;
    }

    /** Notes that an entry is done with; returns whether it was pending. */
    public boolean acknowledge(StreamId id) {
        Pending done = pending.remove(id);
        if (done != null) {
            done.consumer.pending.remove(id);
            content -= done.mixed();
            bytes -= OVERHEAD;
        }
        return done != null;
    }

    long contentHash() {
        return Bytes.mix(((name * 31 + lastDelivered.mixed()) * 31 + read) * 31 + content);
    }

    long bytes() {
        return bytes;
    }

    StreamGroup copy(Bytes of) {
        StreamGroup copy = new StreamGroup(of, lastDelivered, read);
        consumers.values().forEach(each -> copy.seen(each.name, each.seenMillis));
        pending.values()
                .forEach(each -> copy.deliver(
                        each.id, copy.seen(each.consumer.name, each.consumer.seenMillis), each.atMillis, each.count));
        return copy;
    }

    void save(StateOutput output) {
        lastDelivered.save(output);
        output.writeLong(read);
        output.writeInt(consumers.size());
        for (Consumer each : consumers.values()) {
            output.writeBytes(each.name.array());
            output.writeLong(each.seenMillis);
            output.writeInt(each.pending.size());
            for (Pending entry : each.pending.values()) {
                entry.id.save(output);
                output.writeLong(entry.atMillis);
                output.writeLong(entry.count);
            }
        }
    }

    static StreamGroup load(Bytes name, StateInput input) {
        StreamGroup group = new StreamGroup(name, StreamId.load(input), input.readLong());
        for (int left = input.readInt(); left > 0; left--) {
            Consumer consumer = group.seen(new Bytes(input.readBytes()), input.readLong());
            for (int entries = input.readInt(); entries > 0; entries--) {
                group.deliver(StreamId.load(input), consumer, input.readLong(), input.readLong());
            }
        }
        return group;
    }
}
