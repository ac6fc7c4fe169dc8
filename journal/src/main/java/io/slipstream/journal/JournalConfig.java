package io.slipstream.journal;

import java.time.InstantSource;
import java.util.Objects;

/**
 * How a journal writes and recovers. Values are checked at once; each {@code with} method returns a changed copy.
 *
 * @param durability              when a record counts as durable
 * @param segmentBytes            size of a segment file, a multiple of 4096, from 16 KiB to 1 GiB; all of it is allocated
 *                                before use
 * @param batchBytes              size of the buffer that collects a batch, a multiple of 4096; larger batches take several
 *                                writes
 * @param policy                  what to do about a torn tail
 * @param verification            how much of the journal is read and checked when it is opened
 * @param prepareInBackground     whether a thread of the journal's own prepares the next segment and forces the full ones;
 *                                otherwise the appender's thread does
 * @param clock                   gives the time that is kept for looking records up by time
 */
public record JournalConfig(Durability durability, int segmentBytes, int batchBytes, RecoveryPolicy policy,
                            Verification verification, boolean prepareInBackground, InstantSource clock) {
    /** Unit of writing at {@link Durability#SYNC}: a block that was forced is never written again. */
    public static final int BLOCK_BYTES = 4096;

    private static final int MIN_SEGMENT_BYTES = 16 << 10;
    private static final int MAX_SEGMENT_BYTES = 1 << 30;

    /** How much of a journal is read when it is opened. The chain of the segments' headers is always checked. */
    public enum Verification {
        /** Every byte. */
        ALL,

        /** The last two segments; damage to older ones is found when they are read. */
        TAIL
    }

    /** Checks the values. */
    public JournalConfig {
        Objects.requireNonNull(durability, "durability");
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(verification, "verification");
        Objects.requireNonNull(clock, "clock");
        requireBlocks("segmentBytes", segmentBytes, MIN_SEGMENT_BYTES, MAX_SEGMENT_BYTES);
        requireBlocks("batchBytes", batchBytes, BLOCK_BYTES, MAX_SEGMENT_BYTES);
    }

    /** Returns the defaults at {@code durability}: segments of 64 MiB, batches of 1 MiB, a torn tail is cut. */
    public static JournalConfig at(Durability durability) {
        return new JournalConfig(durability, 64 << 20, 1 << 20, RecoveryPolicy.TAIL, Verification.ALL, true,
                InstantSource.system());
    }

    /** Returns a copy with segments of {@code bytes}. */
    public JournalConfig withSegmentBytes(int bytes) {
        return new JournalConfig(durability, bytes, batchBytes, policy, verification, prepareInBackground, clock);
    }

    /** Returns a copy with a batch buffer of {@code bytes}. */
    public JournalConfig withBatchBytes(int bytes) {
        return new JournalConfig(durability, segmentBytes, bytes, policy, verification, prepareInBackground, clock);
    }

    /** Returns a copy with another recovery policy. */
    public JournalConfig withPolicy(RecoveryPolicy newPolicy) {
        return new JournalConfig(durability, segmentBytes, batchBytes, newPolicy, verification, prepareInBackground,
                clock);
    }

    /** Returns a copy with another extent of verification. */
    public JournalConfig withVerification(Verification newVerification) {
        return new JournalConfig(durability, segmentBytes, batchBytes, policy, newVerification, prepareInBackground,
                clock);
    }

    /** Returns a copy that prepares segments in the background, or on the appender's thread. */
    public JournalConfig withPrepareInBackground(boolean background) {
        return new JournalConfig(durability, segmentBytes, batchBytes, policy, verification, background, clock);
    }

    /** Returns a copy with another clock. */
    public JournalConfig withClock(InstantSource newClock) {
        return new JournalConfig(durability, segmentBytes, batchBytes, policy, verification, prepareInBackground,
                newClock);
    }

    private static void requireBlocks(String name, int value, int min, int max) {
        if (value < min || value > max || value % BLOCK_BYTES != 0) {
            throw new IllegalArgumentException(name + " must be a multiple of " + BLOCK_BYTES + " from " + min + " to "
                    + max + ", not " + value);
        }
    }
}
