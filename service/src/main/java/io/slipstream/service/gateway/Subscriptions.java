package io.slipstream.service.gateway;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which connections get the items of which topic. For the gateway's thread. */
final class Subscriptions {
    private final Map<Long, Topic> byTopic = new HashMap<>();

    /** Who gets the items of a topic, and the place of the last one that they got. */
    static final class Topic {
        final List<Connection> subscribers = new ArrayList<>();
        long sequence;
        int index;

        /** All of them have that item; places grow. */
        void at(long itemSequence, int itemIndex) {
            sequence = itemSequence;
            index = itemIndex;
        }
    }

    /** From now on the connection gets the items of the topic behind that place, which is that of the last one. */
    void add(long topic, Connection connection, long sequence, int index) {
        if (!connection.isOpen()) {
            return;
        }
        Topic of = byTopic.computeIfAbsent(topic, _ -> new Topic());
        of.at(sequence, index);
        if (!of.subscribers.contains(connection)) {
            of.subscribers.add(connection);
            connection.subscriptions++;
        }
    }

    /** The connection gets the items of the topic no more. */
    void remove(long topic, Connection connection) {
        Topic of = byTopic.get(topic);
        if (of != null && of.subscribers.remove(connection)) {
            connection.subscriptions--;
            if (of.subscribers.isEmpty()) {
                byTopic.remove(topic);
            }
        }
    }

    /** Forgets a connection that was closed. */
    void removeAll(Connection connection) {
        if (connection.subscriptions > 0) {
            byTopic.values().removeIf(of -> of.subscribers.remove(connection) && of.subscribers.isEmpty());
            connection.subscriptions = 0;
        }
    }

    /**
     * Returns who gets the items of the topic, or null for nobody. Whoever goes through them by index, from the end,
     * may close or remove them meanwhile.
     */
    @Nullable
    Topic of(long topic) {
        return byTopic.get(topic);
    }
}
