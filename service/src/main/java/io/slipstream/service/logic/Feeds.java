package io.slipstream.service.logic;

import io.slipstream.service.collection.LongMap;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was published lately, by topic, for subscribers that come back after a cut.
 *
 * <p>As with the outputs of a session, the place of an item is the sequence of the log entry that caused it and its
 * index among the items of that entry.
 */
final class Feeds {
    private final LongMap<Feed> byTopic = new LongMap<>();
    private final int bytesPerTopic;
    private final Feed none;
    private @Nullable Feed last;

    Feeds(int bytesPerTopic) {
        this.bytesPerTopic = bytesPerTopic;
        this.none = new Feed(0, bytesPerTopic);
    }

    /** Returns the feed of a topic, to be looked at: an empty one if nothing was published to it. */
    Feed find(long topic) {
        Feed found = last;
        if (found == null || found.topic != topic) {
            found = byTopic.get(topic);
        }
        return found == null ? none : found;
    }

    /**
     * Returns the feed of a topic, which begins with its first item. Only entries of the log publish: subscriptions are
     * none, and a replay would not know of what they leave behind.
     */
    Feed publish(long topic) {
        Feed found = last;
        if (found == null || found.topic != topic) {
            found = byTopic.get(topic);
            if (found == null) {
                found = new Feed(topic, bytesPerTopic);
                byTopic.put(topic, found);
            }
            last = found;
        }
        return found;
    }

    void save(StateOutput to, boolean withKept) {
        to.writeInt(byTopic.size());
        List<Feed> all = byTopic.values();
        all.sort(Comparator.comparingLong(feed -> feed.topic));
        for (Feed feed : all) {
            to.writeLong(feed.topic);
            to.writeLong(feed.sequence);
            to.writeInt(feed.index);
            if (withKept) {
                feed.kept.save(to);
            }
        }
    }

    void load(StateInput from) {
        byTopic.clear();
        last = null;
        int count = from.readInt();
        for (int i = 0; i < count; i++) {
            Feed feed = publish(from.readLong());
            feed.sequence = from.readLong();
            feed.index = from.readInt();
            feed.kept.load(from);
            if (feed.sequence == 0) {
                // Older versions saved topics, too, that somebody had only asked for.
                byTopic.remove(feed.topic);
                last = null;
            }
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
