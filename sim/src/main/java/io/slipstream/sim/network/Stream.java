package io.slipstream.sim.network;

import io.slipstream.sim.world.Chance;
import io.slipstream.sim.world.Schedule;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/** The bytes of one direction of a connection: under way, and arrived. */
final class Stream {
    private static final int BLOCKING_BYTES = 1 << 16;
    private static final long RETRY_NANOS = 50_000_000;
    private static final int CRUMB_BYTES = 7;
    private static final int MOST_CRUMBS = 64;

    private final SimulatedNetwork network;
    private final Schedule schedule;
    private final Chance chance;
    private final SimulatedSocket from;
    private final SimulatedSocket to;
    private final Deque<byte[]> underWay = new ArrayDeque<>();
    private final Deque<ByteBuffer> arrived = new ArrayDeque<>();
    private int bytes;
    private boolean isDelivering;
    private boolean isEnding;
    private boolean hasEnded;
    private boolean hasVanished;
    private boolean hasDelivered;

    Stream(SimulatedNetwork network, SimulatedSocket from, SimulatedSocket to) {
        this.network = network;
        this.schedule = network.schedule();
        this.chance = network.chance();
        this.from = from;
        this.to = to;
    }

    /** Returns how many more bytes can be written. */
    int room() {
        return Math.max(0, Math.min(network.faults().bufferBytes(), to.node().mostUnread()) - bytes);
    }

    boolean isReadable() {
        return !arrived.isEmpty() || hasEnded;
    }

    int read(ByteBuffer target) {
        int read = 0;
        ByteBuffer next;
        while (target.hasRemaining() && (next = arrived.peek()) != null) {
            int count = Math.min(target.remaining(), next.remaining());
            target.put(target.position(), next, next.position(), count);
            target.position(target.position() + count);
            next.position(next.position() + count);
            read += count;
            if (!next.hasRemaining()) {
                arrived.poll();
            }
        }
        if (read > 0) {
            bytes -= read;
            from.node().wake();
            return read;
        }
        return hasEnded && target.hasRemaining() ? -1 : 0;
    }

    int write(ByteBuffer source, boolean blocking) {
        int count = Math.min(source.remaining(), blocking ? BLOCKING_BYTES : room());
        if (count < source.remaining()) {
            to.node().overrun();
        }
        if (!blocking && count > 1 && chance.happens(network.faults().shortWrite())) {
            count = 1 + chance.random().nextInt(count);
        }
        if (count == 0) {
            return 0;
        }
        byte[] written = new byte[count];
        source.get(written);
        written = network.twisted(from.node().name(), written);
        bytes += written.length;
        if (chance.happens(network.faults().crumbs())) {
            crumble(written);
        } else {
            underWay.add(written);
        }
        deliverLater(chance.someNanos(network.faults().latencyNanos()));
        return count;
    }

    /** Nothing more is written; the other end learns of it when it has read the rest. */
    void end() {
        isEnding = true;
        deliverLater(chance.someNanos(network.faults().latencyNanos()));
    }

    /** Nothing more arrives, and nobody is told. */
    void vanish() {
        hasVanished = true;
        underWay.clear();
    }

    /** Returns whether anything has ever arrived. */
    boolean hasDelivered() {
        return hasDelivered;
    }

    private void crumble(byte[] written) {
        int at = 0;
        int most = Math.max(CRUMB_BYTES, 2 * written.length / MOST_CRUMBS);
        while (at < written.length) {
            int length = Math.min(written.length - at, 1 + chance.random().nextInt(most));
            byte[] crumb = new byte[length];
            System.arraycopy(written, at, crumb, 0, length);
            underWay.add(crumb);
            at += length;
        }
    }

    private void deliverLater(long nanos) {
        if (!isDelivering && !hasVanished) {
            isDelivering = true;
            schedule.after(nanos, this::deliver);
        }
    }

    private void deliver() {
        isDelivering = false;
        if (hasVanished) {
            return;
        }
        if (network.isPartitioned(to.port(), to.isAccepted()) || to.isSilent()) {
            deliverLater(chance.someNanos(RETRY_NANOS));
            return;
        }
        if (to.isGone()) {
            refuse();
            return;
        }
        byte[] next = underWay.poll();
        if (next != null) {
            arrived.add(ByteBuffer.wrap(next));
            hasDelivered = true;
            schedule.trace().note(to.node().name(), "bytes arrive", next.length);
        }
        if (!underWay.isEmpty()) {
            deliverLater(chance.someNanos(network.faults().latencyNanos()));
        } else if (isEnding) {
            hasEnded = true;
        }
        to.node().wake();
    }

    /** Where the bytes have come to nobody knows this connection: the writer is told. */
    private void refuse() {
        underWay.clear();
        if (!from.isGone()) {
            from.reset();
        }
    }
}
