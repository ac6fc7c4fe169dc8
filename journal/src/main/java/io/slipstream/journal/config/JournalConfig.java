package io.slipstream.journal.config;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a journal writes and recovers. A value: each {@code with} method returns a changed copy, and checks it.
 */
public final class JournalConfig implements Cloneable {
    /** Default unit of writing at {@link Durability#SYNC}: a block that was forced is never written again. */
    public static final int BLOCK_BYTES = 4096;

    /** The smallest block, for devices whose physical sectors are no larger. */
    public static final int MIN_BLOCK_BYTES = 512;

    /** What a segment has room for beside records: its header, a mark, and the block of the closing mark. */
    private static final int OVERHEAD_BYTES = BLOCK_BYTES + 48 + BLOCK_BYTES;

    private static final int SYNC_PREPARED_SEGMENTS = 6;
    /* Each is an open file of the process, and has its space on the device. */
    private static final int MAX_PREPARED_SEGMENTS = 100;
    private static final int MIN_SEGMENT_BYTES = 16 << 10;
    private static final int MAX_SEGMENT_BYTES = 1 << 30;

    private final Durability durability;
    private int segmentBytes = 64 << 20;
    private int batchBytes = 1 << 20;
    private int blockBytes = BLOCK_BYTES;
    private @Nullable Duration maxSegmentAge;
    private int spareSegments = 2;
    private int preparedSegments;
    private WriteMode writeMode = WriteMode.BUFFERED;
    private RecoveryPolicy policy = RecoveryPolicy.TAIL;
    private Verification verification = Verification.ALL;
    private boolean prepareInBackground = true;
    private InstantSource clock = InstantSource.system();

    /** How much of a journal is read when it is opened. The chain of the segments' headers is always checked. */
    public enum Verification {
        /** Every byte. */
        ALL,

        /** What may not have been durable, two segments at least; damage to older ones is found when they are read. */
        TAIL
    }

    private JournalConfig(Durability durability) {
        this.durability = Objects.requireNonNull(durability, "durability");
        this.preparedSegments = durability == Durability.SYNC ? SYNC_PREPARED_SEGMENTS : 1;
    }

    /** Returns the defaults at {@code durability}: segments of 64 MiB, batches of 1 MiB, a torn tail is cut. */
    public static JournalConfig at(Durability durability) {
        return new JournalConfig(durability);
    }

    /** Returns when a record counts as durable. */
    public Durability durability() {
        return durability;
    }

    /** Returns the size of a segment file; all of it is allocated before use. */
    public int segmentBytes() {
        return segmentBytes;
    }

    /** Returns a copy with segments of {@code bytes}, a multiple of 4096 from 16 KiB to 1 GiB. */
    public JournalConfig withSegmentBytes(int bytes) {
        requireBlocks("segmentBytes", bytes, MIN_SEGMENT_BYTES);
        return with(copy -> copy.segmentBytes = bytes);
    }

    /**
     * Returns the most bytes that one call of {@link io.slipstream.journal.Journal#append} takes: what fits into an
     * empty segment.
     */
    public int maxAppendBytes() {
        return segmentBytes - OVERHEAD_BYTES;
    }

    /** Returns the size of the buffer that collects a batch; a larger batch takes several writes. */
    public int batchBytes() {
        return batchBytes;
    }

    /** Returns a copy with a batch buffer of {@code bytes}, a multiple of 4096 from 4 KiB to 1 GiB. */
    public JournalConfig withBatchBytes(int bytes) {
        requireBlocks("batchBytes", bytes, BLOCK_BYTES);
        return with(copy -> copy.batchBytes = bytes);
    }

    /** Returns the unit of writing at {@link Durability#SYNC}. */
    public int blockBytes() {
        return blockBytes;
    }

    /**
     * Returns a copy whose new segments have blocks of {@code bytes}, {@value #MIN_BLOCK_BYTES} or
     * {@value #BLOCK_BYTES}. A commit takes up whole blocks, so small ones save space where commits are small. They are
     * safe where the device writes a sector of that size whole or not at all: {@code lsblk -o NAME,PHY-SEC} says 512.
     *
     * @throws IllegalArgumentException if they are small and the write mode is {@link WriteMode#DIRECT}, which takes
     *                                  blocks of {@value #BLOCK_BYTES}
     */
    public JournalConfig withBlockBytes(int bytes) {
        if (bytes != MIN_BLOCK_BYTES && bytes != BLOCK_BYTES) {
            throw new IllegalArgumentException(
                    "blockBytes must be " + MIN_BLOCK_BYTES + " or " + BLOCK_BYTES + ", not " + bytes);
        }
        requireWholeBlocks(writeMode, bytes);
        return with(copy -> copy.blockBytes = bytes);
    }

    /** Returns the age at which a segment is left for the next one even if it is not full, or null for none. */
    public @Nullable Duration maxSegmentAge() {
        return maxSegmentAge;
    }

    /**
     * Returns a copy that leaves a segment at this age, counted in milliseconds and looked at with each append; or at
     * none, if null. An age beyond the range of milliseconds is never reached.
     */
    public JournalConfig withMaxSegmentAge(@Nullable Duration age) {
        if (age != null && age.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("maxSegmentAge must be a millisecond at least, not " + age);
        }
        return with(copy -> copy.maxSegmentAge = age);
    }

    /** Returns how many files of trimmed segments are kept for use as new ones. */
    public int spareSegments() {
        return spareSegments;
    }

    /** Returns a copy that keeps {@code count} files of trimmed segments, 0 for none. */
    public JournalConfig withSpareSegments(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("spareSegments must not be negative, but is " + count);
        }
        return with(copy -> copy.spareSegments = count);
    }

    /**
     * Returns how many segments are kept ready, filled with zeros, before they are needed: at SYNC six by default,
     * otherwise one.
     */
    public int preparedSegments() {
        return preparedSegments;
    }

    /**
     * Returns a copy that keeps {@code count} segments ready, from 1 to {@value #MAX_PREPARED_SEGMENTS}. All but the
     * first are prepared while the owner has nothing to do and the device has room to spare, so that a burst of so many
     * segments shares the device with nobody. They take up their full size on it, each is an open file of the process,
     * and opening looks at them. More room for bursts is had by larger segments.
     */
    public JournalConfig withPreparedSegments(int count) {
        if (count < 1 || count > MAX_PREPARED_SEGMENTS) {
            throw new IllegalArgumentException("preparedSegments must be from 1 to " + MAX_PREPARED_SEGMENTS
                    + ", each of which is an open file and takes its full size, but is " + count);
        }
        return with(copy -> copy.preparedSegments = count);
    }

    /** Returns how bytes are handed to the system. */
    public WriteMode writeMode() {
        return writeMode;
    }

    /**
     * Returns a copy that writes in another way.
     *
     * @throws IllegalArgumentException if it is {@link WriteMode#DIRECT} and the blocks are small; see
     *                                  {@link #withBlockBytes}
     */
    public JournalConfig withWriteMode(WriteMode mode) {
        Objects.requireNonNull(mode, "mode");
        requireWholeBlocks(mode, blockBytes);
        return with(copy -> copy.writeMode = mode);
    }

    /** Returns what opening does about a torn tail. */
    public RecoveryPolicy policy() {
        return policy;
    }

    /** Returns a copy with another recovery policy. */
    public JournalConfig withPolicy(RecoveryPolicy newPolicy) {
        if (newPolicy == RecoveryPolicy.SALVAGE) {
            throw new IllegalArgumentException("SALVAGE is for the tool: run `slipstream journal repair`");
        }
        Objects.requireNonNull(newPolicy, "newPolicy");
        return with(copy -> copy.policy = newPolicy);
    }

    /** Returns how much of the journal is read and checked when it is opened. */
    public Verification verification() {
        return verification;
    }

    /** Returns a copy with another extent of verification. */
    public JournalConfig withVerification(Verification newVerification) {
        Objects.requireNonNull(newVerification, "newVerification");
        return with(copy -> copy.verification = newVerification);
    }

    /** Returns whether a thread of the journal's own prepares the next segment and forces the full ones. */
    public boolean prepareInBackground() {
        return prepareInBackground;
    }

    /** Returns a copy that prepares segments in the background, or on the owner's thread. */
    public JournalConfig withPrepareInBackground(boolean background) {
        return with(copy -> copy.prepareInBackground = background);
    }

    /** Returns the clock whose time is kept for looking records up by time. */
    public InstantSource clock() {
        return clock;
    }

    /**
     * Returns a copy with another clock. While it is behind what it has shown before, records get the latest of its
     * times. If it throws, it counts as standing still.
     */
    public JournalConfig withClock(InstantSource newClock) {
        Objects.requireNonNull(newClock, "newClock");
        return with(copy -> copy.clock = newClock);
    }

    private JournalConfig with(Consumer<JournalConfig> change) {
        try {
            JournalConfig copy = (JournalConfig) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    private static void requireWholeBlocks(WriteMode mode, int blockBytes) {
        if (mode == WriteMode.DIRECT && blockBytes < BLOCK_BYTES) {
            throw new IllegalArgumentException("the write mode DIRECT takes blocks of " + BLOCK_BYTES + " bytes, not "
                    + blockBytes + "; use another mode, or leave blockBytes as it is");
        }
    }

    private static void requireBlocks(String name, int value, int min) {
        if (value < min || value > MAX_SEGMENT_BYTES || value % BLOCK_BYTES != 0) {
            throw new IllegalArgumentException(name + " must be a multiple of " + BLOCK_BYTES + " from " + min + " to "
                    + MAX_SEGMENT_BYTES + ", not " + value);
        }
    }
}
