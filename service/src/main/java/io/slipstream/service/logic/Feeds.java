package io.slipstream.service.logic;

import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What was published lately, by topic, for subscribers that come back after a cut.
 *
 * <p>As with the outputs of a session, the place of an item is the sequence of the log entry that caused it and its
 * index among the items of that entry.
 */
final class Feeds {
    private final TreeMap<Long, Feed> byTopic = new TreeMap<>();
    private final int bytesPerTopic;
    private @Nullable Feed last;

    Feeds(int bytesPerTopic) {
        this.bytesPerTopic = bytesPerTopic;
    }

    /** Returns the feed of a topic, which begins with the first look at it. */
    Feed of(long topic) {
        Feed found = last;
        if (found == null || found.topic != topic) {
            found = byTopic.computeIfAbsent(topic, number -> new Feed(number, bytesPerTopic));
            last = found;
        }
        return found;
    }

    void save(StateOutput to) {
        to.writeInt(byTopic.size());
        for (Feed feed : byTopic.values()) {
            to.writeLong(feed.topic);
            to.writeLong(feed.sequence);
            to.writeInt(feed.index);
            feed.kept.save(to);
        }
    }

    void load(StateInput from) {
        byTopic.clear();
        last = null;
        int count = from.readInt();
        for (int i = 0; i < count; i++) {
            Feed feed = of(from.readLong());
            feed.sequence = from.readLong();
            feed.index = from.readInt();
            feed.kept.load(from);
        }
    }

    /** One topic. */
    static final class Feed {
        final long topic;
        final Outbox kept;
        private long sequence;
        private int index;

        private Feed(long topic, int bytes) {
            this.topic = topic;
            this.kept = new Outbox(bytes);
        }

        /** Returns the index of the next item that the log entry with that sequence causes. */
        int nextIndex(long entry) {
            if (sequence != entry) {
                sequence = entry;
                index = 0;
            }
            return ++index;
        }

        /** Returns the sequence of the log entry that caused the last item; 0 before the first one. */
        long lastSequence() {
            return sequence;
        }

        /** Returns the index of the last item. */
        int lastIndex() {
            return index;
        }

        /**
         * Returns whether that place is behind the last item. A subscriber has seen it in a log that was longer, such
         * as the one before a backup was restored.
         */
        boolean endsBefore(long seenSequence, int seenIndex) {
            return Outbox.isAfter(seenSequence, seenIndex, sequence, index);
        }
    }
}
