package io.slipstream.service.gateway;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which connections get the items of which topic. For the gateway's thread. */
final class Subscriptions {
    private static final List<Connection> NOBODY = List.of();

    private final Map<Long, List<Connection>> byTopic = new HashMap<>();

    /** From now on the connection gets the items of the topic. */
    void add(long topic, Connection connection) {
        if (!connection.isOpen()) {
            return;
        }
        List<Connection> subscribers = byTopic.computeIfAbsent(topic, _ -> new ArrayList<>());
        if (!subscribers.contains(connection)) {
            subscribers.add(connection);
            connection.subscriptions++;
        }
    }

    /** The connection gets the items of the topic no more. */
    void remove(long topic, Connection connection) {
        List<Connection> subscribers = byTopic.get(topic);
        if (subscribers != null && subscribers.remove(connection)) {
            connection.subscriptions--;
            if (subscribers.isEmpty()) {
                byTopic.remove(topic);
            }
        }
    }

    /** Forgets a connection that was closed. */
    void removeAll(Connection connection) {
        if (connection.subscriptions > 0) {
            byTopic.values().removeIf(subscribers -> subscribers.remove(connection) && subscribers.isEmpty());
            connection.subscriptions = 0;
        }
    }

    /**
     * Returns who gets the items of the topic. Whoever goes through them by index, from the end, may close them
     * meanwhile.
     */
    List<Connection> of(long topic) {
        return byTopic.getOrDefault(topic, NOBODY);
    }
}
