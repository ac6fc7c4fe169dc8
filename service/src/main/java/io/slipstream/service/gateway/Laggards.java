package io.slipstream.service.gateway;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.service.pressure.Inflow;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Subscription;
import java.util.ArrayList;
import java.util.List;

/**
 * The subscribers that do not keep up: they get no items until they have read what they were sent. Then each is
 * subscribed anew behind the last item that it got, and gets what it has missed, or a snapshot if that is no longer
 * kept. So a slow subscriber is slow, and what is unread stays bounded.
 *
 * <pre>
 *   subscribed ──a quarter of maxUnreadBytes is unread──▶ behind ──a sixteenth──▶ SUBSCRIBE ──▶ subscribed
 * </pre>
 *
 * For the gateway's thread.
 */
final class Laggards {
    private final List<Laggard> behind = new ArrayList<>();

    private record Laggard(Connection connection, long topic, long sequence, int index) {}

    /** A subscriber gets nothing more of a topic for a while; the last item that it got had that place. */
    void add(Connection connection, long topic, long sequence, int index) {
        behind.add(new Laggard(connection, topic, sequence, index));
    }

    /** The client leaves the topic, or subscribes to it by itself. */
    void forget(Connection connection, long topic) {
        behind.removeIf(each -> each.connection == connection && each.topic == topic);
    }

    /**
     * Subscribes one that has caught up anew, if there is one and there is room for that, and forgets those that have
     * gone; returns whether it did.
     */
    boolean subscribeOne(FrameRing input, Inflow inflow) {
        for (int i = 0; i < behind.size(); i++) {
            Laggard each = behind.get(i);
            if (!each.connection.isOpen() || each.connection.closing) {
                behind.remove(i--);
            } else if (each.connection.hasCaughtUp()) {
                long position = input.tryClaim(Message.HEADER_BYTES + Subscription.BYTES - Frame.HEADER_BYTES);
                if (position == FrameRing.NO_ROOM) {
                    return false;
                }
                long at = input.offset(position);
                Message.headerWithoutLength(
                        input.memory(), at, MessageType.SUBSCRIBE, each.connection.session, Message.UNASKED);
                Subscription.encodePayload(input.memory(), at, each.topic, each.sequence, each.index, 0);
                each.connection.pending++;
                inflow.accept(0);
                input.publish(position);
                behind.remove(i);
                return true;
            }
        }
        return false;
    }
}
