package io.slipstream.service.gateway;

import io.slipstream.service.collection.LongMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which connections get the items of which topic. For the gateway's thread. */
final class Subscriptions {
    private final LongMap<Topic> byTopic = new LongMap<>();
    private int size;

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
        Topic of = byTopic.get(topic);
        if (of == null) {
            of = new Topic();
            byTopic.put(topic, of);
        }
        of.at(sequence, index);
        if (connection.topics.add(topic)) {
            of.subscribers.add(connection);
            size++;
        }
    }

    /** The connection gets the items of the topic no more. */
    void remove(long topic, Connection connection) {
        if (connection.topics.remove(topic)) {
            drop(topic, connection);
        }
    }

    /** Forgets a connection that was closed. */
    void removeAll(Connection connection) {
        connection.topics.forEach(topic -> drop(topic, connection));
        connection.topics.clear();
    }

    private void drop(long topic, Connection connection) {
        Topic of = byTopic.get(topic);
        if (of != null && of.subscribers.remove(connection)) {
            size--;
            if (of.subscribers.isEmpty()) {
                byTopic.remove(topic);
            }
        }
    }

    /** Returns how many there are, of all connections. */
    int size() {
        return size;
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
