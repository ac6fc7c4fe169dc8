package io.slipstream.service.pressure;

import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long each kind of command and query takes in the state machine, measured from the first one on.
 *
 * <p>The first measurement counts until the second, which replaces it if it is shorter: a JVM does many a thing once.
 * From then on each one moves the estimate by an eighth of the difference.
 *
 * <p>One thread records; any thread may read. Nothing here allocates.
 */
public final class CommandTimes {
    /** In place of a time that was never measured. */
    public static final long UNKNOWN = -1;

    private static final int KINDS = 256;
    private static final int OTHERS = 2 * KINDS;
    private static final int SHARE = 8;

    private final CommandKinds kinds;
    private final AtomicLongArray nanos = new AtomicLongArray(OTHERS + 2);

    /* For the thread that records. */
    private final byte[] measured = new byte[OTHERS + 1];

    /** Creates it with nothing measured. */
    public CommandTimes(CommandKinds kinds) {
        this.kinds = kinds;
        for (int i = 0; i <= OTHERS; i++) {
            nanos.setPlain(i, UNKNOWN);
        }
    }

    /** Returns the place of the message whose header is at {@code offset}, for the other methods. */
    public int place(MemorySegment memory, long offset, int length) {
        return place(
                Message.type(memory, offset), memory, offset + Message.HEADER_BYTES, length - Message.HEADER_BYTES);
    }

    /** Returns the place of a message of that type with that payload. */
    public int place(short type, MemorySegment memory, long payload, int length) {
        return switch (type) {
            case MessageType.COMMAND -> Integer.remainderUnsigned(kinds.kind(memory, payload, length), KINDS);
            case MessageType.QUERY -> KINDS + Integer.remainderUnsigned(kinds.kind(memory, payload, length), KINDS);
            default -> OTHERS;
        };
    }

    /** Returns how long a message of that place takes in nanoseconds, or {@link #UNKNOWN}. */
    public long nanos(int place) {
        return nanos.getOpaque(place);
    }

    /** Notes how long one has taken. */
    public void record(int place, long took) {
        long known = nanos.getPlain(place);
        int count = measured[place];
        if (count < 2) {
            measured[place]++;
            nanos.setOpaque(place, count == 0 ? took : Math.min(known, took));
        } else {
            nanos.setOpaque(place, known + (took - known) / SHARE);
        }
    }

    /** Notes since when the machine has been in what it does at present; 0 for nothing. */
    public void busySince(long nowNanos) {
        nanos.setOpaque(OTHERS + 1, nowNanos);
    }

    /** Returns for how long the machine has been in what it does at present. */
    public long busyFor(long nowNanos) {
        long since = nanos.getOpaque(OTHERS + 1);
        return since == 0 ? 0 : nowNanos - since;
    }
}
