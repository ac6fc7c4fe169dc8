package io.slipstream.ipc;

import io.slipstream.ipc.file.Layout;

/**
 * What a channel is created with. It stays so for the life of the file.
 *
 * @param capacity       bytes of the ring: a power of two from 4 KiB to 1 GiB. A message takes up to half of it
 * @param manyPublishers whether several may publish at the same time; with one, claims are local and a killed publisher
 *      leaves no hole
 * @param parties        how many publishers, subscribers and observers may be attached at once, from 1 to 62
 * @param kept           whether the file stays when the last process closes it
 */
public record ChannelSettings(int capacity, boolean manyPublishers, int parties, boolean kept) {
    private static final int PARTIES = 16;

    /** Checks the values. */
    public ChannelSettings {
        if (capacity < Layout.SMALLEST_CAPACITY
                || capacity > Layout.LARGEST_CAPACITY
                || Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException(
                    "the ring of a channel has a power of two of bytes, 4096 to 2^30, not " + capacity);
        }
        if (parties < 1 || parties > Layout.MOST_PARTIES) {
            throw new IllegalArgumentException(
                    "a channel has from 1 to " + Layout.MOST_PARTIES + " parties, not " + parties);
        }
    }

    /** One publisher at a time, and room for 16 parties. */
    public static ChannelSettings onePublisher(int capacity) {
        return new ChannelSettings(capacity, false, PARTIES, false);
    }

    /** Any number of publishers at the same time, and room for 16 parties. */
    public static ChannelSettings manyPublishers(int capacity) {
        return new ChannelSettings(capacity, true, PARTIES, false);
    }

    /** Returns the same with another number of parties. */
    public ChannelSettings withParties(int parties) {
        return new ChannelSettings(capacity, manyPublishers, parties, kept);
    }

    /** Returns the same, but the file stays when the last process closes it. */
    public ChannelSettings keptWhenClosed() {
        return new ChannelSettings(capacity, manyPublishers, parties, true);
    }
}
