package io.slipstream.service.gateway;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.service.pressure.Inflow;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Subscription;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
    /* What is known of each is on the heap. */
    private static final int MAX_OF_ONE = 65_536;
    private static final int MAX = 1 << 20;

    private final Subscriptions subscriptions;
    private final Map<Connection, Map<Long, Place>> behind = new LinkedHashMap<>();
    private int size;

    private record Place(long sequence, int index) {}

    /** Creates the laggards among those that have subscribed. */
    Laggards(Subscriptions subscriptions) {
        this.subscriptions = subscriptions;
    }

    /** A subscriber gets nothing more of a topic for a while; the last item that it got had that place. */
    void add(Connection connection, long topic, long sequence, int index) {
        subscriptions.remove(topic, connection);
        Place place = new Place(sequence, index);
        if (behind.computeIfAbsent(connection, _ -> new LinkedHashMap<>()).put(topic, place) == null) {
            size++;
        }
    }

    /** The client leaves the topic, or subscribes to it by itself. */
    void forget(Connection connection, long topic) {
        Map<Long, Place> own = behind.get(connection);
        if (own != null && own.remove(topic) != null) {
            size--;
            if (own.isEmpty()) {
                behind.remove(connection);
            }
        }
    }

    /** Returns why the connection may not subscribe to one more topic, or null if it may. */
    @Nullable
    String refusal(Connection connection, long topic) {
        Map<Long, Place> own = behind.getOrDefault(connection, Map.of());
        if (connection.topics.contains(topic) || own.containsKey(topic)) {
            return null;
        }
        if (connection.topics.size() + own.size() >= MAX_OF_ONE) {
            return "a client has at most " + MAX_OF_ONE + " subscriptions, and this one has so many";
        }
        return subscriptions.size() + size < MAX
                ? null
                : "the service has " + MAX + " subscriptions, and takes no more until some have ended";
    }

    /**
     * Subscribes one that has caught up anew, if there is one and there is room for that, and forgets those that have
     * gone; returns whether it did.
     */
    boolean subscribeOne(FrameRing input, Inflow inflow) {
        return size > 0 && subscribeOneOfThem(input, inflow);
    }

    private boolean subscribeOneOfThem(FrameRing input, Inflow inflow) {
        for (Iterator<Map.Entry<Connection, Map<Long, Place>>> each =
                        behind.entrySet().iterator();
                each.hasNext(); ) {
            Map.Entry<Connection, Map<Long, Place>> next = each.next();
            Connection connection = next.getKey();
            if (!connection.isOpen() || connection.closing) {
                size -= next.getValue().size();
                each.remove();
            } else if (connection.hasCaughtUp()) {
                Map.Entry<Long, Place> first =
                        next.getValue().entrySet().iterator().next();
                return subscribe(connection, first.getKey(), first.getValue(), input, inflow);
            }
        }
        return false;
    }

    private boolean subscribe(Connection connection, long topic, Place place, FrameRing input, Inflow inflow) {
        long position = input.tryClaim(Message.HEADER_BYTES + Subscription.BYTES - Frame.HEADER_BYTES);
        if (position == FrameRing.NO_ROOM) {
            return false;
        }
        long at = input.offset(position);
        Message.headerWithoutLength(input.memory(), at, MessageType.SUBSCRIBE, connection.session, Message.UNASKED);
        Message.resumption(input.memory(), at, connection.resumption);
        Subscription.encodePayload(input.memory(), at, topic, place.sequence, place.index, 0);
        connection.pending++;
        inflow.accept(0);
        input.publish(position);
        forget(connection, topic);
        return true;
    }
}
