package io.slipstream.journal.segment;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.format.FrameSeal;
import io.slipstream.journal.format.Mark;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.record.RecordHandler;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Walks through the frames of one segment and believes nothing: each frame must have the right checksum, and the epoch
 * and the sequence that are due.
 *
 * <p>The walk stops for good at an end or at damage; after {@link #refresh} it looks again, because a live segment
 * grows.
 */
public final class SegmentScan {
    private static final long NOWHERE = -1;
    private static final int LEAST_POWER_OF_TWO = 32;

    private final StorageFile file;
    private final Window window;
    private final long segmentBytes;
    private final FrameSeal seal;
    private final int blockBytes;
    private long end = SegmentHeader.BYTES;
    private long frameOffset;
    private int frameLength;
    private int lastChecksum;
    private long nextSequence;
    private int epoch;
    private boolean closed;
    private boolean stopped;
    private String damage = "";
    private boolean outOfPlace;
    private long wrongByte = -1;

    /** Where the walk has come upon a length of 0. */
    private long zeroLengthOffset = NOWHERE;

    private @Nullable RunCheck runs;
    private long nextRun = Long.MAX_VALUE;
    private long provenEnd;

    /** What the walk has come to. */
    public enum Step {
        /** A record. */
        RECORD,
        /** A mark of the journal's own. */
        MARK,
        /** Zeros, or the end of the file. */
        END,
        /** Bytes that are not the frame that is due; {@link #damage} says what they are. */
        DAMAGE
    }

    /** Begins at the first frame of the segment that {@code header} was read from. */
    public SegmentScan(StorageFile file, SegmentHeader header, Window window) {
        this.file = file;
        this.window = window;
        this.segmentBytes = header.bytes();
        this.blockBytes = header.blockBytes();
        this.seal = new FrameSeal(header.seed());
        this.nextSequence = header.baseSequence();
        this.epoch = header.epoch();
        window.clear();
    }

    /** Goes on from a place that is known to be the beginning of a frame. */
    public void skipTo(long offset, long sequence, int epochThere) {
        end = offset;
        nextSequence = sequence;
        epoch = epochThere;
        provenEnd = 0;
        nextRun = runs == null ? Long.MAX_VALUE : runs.at(offset);
    }

    /**
     * Spares itself the checksum of each frame in the runs that have the checksum which {@code index} gives for them.
     * An index that grows is looked at again each time that more of the file is read.
     */
    public void trust(SegmentIndex index) {
        RunCheck check = new RunCheck(index);
        runs = check;
        nextRun = check.at(end);
    }

    /** Takes the next frame. */
    public Step next() throws IOException {
        long offset = end;
        if (offset == nextRun) {
            checkRun(offset);
        }
        if (window.holds(offset, JournalRecord.HEADER_BYTES)) {
            long head = window.getLong(offset);
            int length = (int) head;
            if (length >= JournalRecord.HEADER_BYTES
                    && offset + length <= segmentBytes
                    && window.holds(offset, Frame.align(length))) {
                int checksum = (int) (head >>> Integer.SIZE);
                if (offset < provenEnd || seal.checksum(window.buffer(), window.at(offset), length) == checksum) {
                    return accept(offset, length, checksum);
                }
            }
        }
        return nextAnywhere(offset);
    }

    /**
     * Hands out the records that come next, up to the sequence {@code last}, as long as they lie in a run that was
     * proven, and until a handler calls {@link #stop}; what is not such a record is left to {@link #next}.
     *
     * @return how many
     */
    public int records(RecordHandler handler, int most, long last) {
        Window here = window;
        MemorySegment memory = here.memory();
        long sequence = nextSequence;
        long from = end;
        int count = 0;
        while (count < most && sequence <= last && !stopped) {
            int length = provenLength(from, sequence);
            if (length == 0) {
                break;
            }
            long to = from + Frame.align(length);
            frameOffset = from;
            frameLength = length;
            lastChecksum = (int) (here.getLong(from) >>> Integer.SIZE);
            closed = false;
            end = to;
            nextSequence = ++sequence;
            count++;
            handler.onRecord(memory, here.at(from), length);
            from = to;
        }
        return count;
    }

    /** Shows the records that the next call of {@link #records} hands out. */
    public int peek(RecordHandler handler, int most, long last) {
        long sequence = nextSequence;
        long from = end;
        int count = 0;
        while (count < most && sequence <= last) {
            int length = provenLength(from, sequence);
            if (length == 0) {
                break;
            }
            handler.onRecord(window.memory(), window.at(from), length);
            from += Frame.align(length);
            sequence++;
            count++;
        }
        return count;
    }

    /** Returns the length of the record of that sequence if it is there, within a run that was proven; else 0. */
    private int provenLength(long from, long sequence) {
        if (from + JournalRecord.HEADER_BYTES > provenEnd) {
            return 0;
        }
        int length = (int) window.getLong(from);
        long word = window.getLong(from + JournalRecord.TYPE_OFFSET);
        boolean isRecord = length >= JournalRecord.HEADER_BYTES
                && from + Frame.align(length) <= provenEnd
                && (short) word >= 0
                && (int) (word >>> Integer.SIZE) == epoch
                && window.getLong(from + JournalRecord.SEQUENCE_OFFSET) == sequence;
        return isRecord ? length : 0;
    }

    /** Hands out nothing more; for a handler. */
    public void stop() {
        stopped = true;
    }

    /** Takes the next frame wherever it is: behind a gap, beyond the window, or nowhere. */
    private Step nextAnywhere(long from) throws IOException {
        long offset = from;
        if (runs != null && nextRun == Long.MAX_VALUE) {
            nextRun = runs.at(from + 1);
        }
        while (true) {
            if (!window.load(file, offset, Frame.ALIGNMENT)) {
                return Step.END;
            }
            int length = window.getInt(offset + Frame.LENGTH_OFFSET);
            if (length != 0) {
                if (offset == nextRun && offset != from) {
                    checkRun(offset);
                }
                return frame(offset, length);
            }
            zeroLengthOffset = offset;
            long block = offset + (blockBytes - 1) & -blockBytes;
            if (block == offset) {
                return Step.END;
            }
            int padding = (int) (block - offset);
            if (!window.load(file, offset, padding)) {
                return Step.END;
            }
            if (!Zeros.only(window.memory(), window.at(offset), padding)) {
                damage(offset, 0, "bytes where there should be zeros");
                outOfPlace = true;
                return Step.DAMAGE;
            }
            offset = block;
        }
    }

    /** Forgets what was read ahead, so that the next step sees what was written since. */
    public void refresh() {
        window.clear();
        provenEnd = 0;
        nextRun = runs == null ? Long.MAX_VALUE : runs.at(end);
    }

    /** Returns the memory that the current frame is in. */
    public MemorySegment memory() {
        return window.memory();
    }

    /** Returns where in {@link #memory} the current frame is. */
    public long memoryOffset() {
        return window.at(frameOffset);
    }

    /** Returns where in the file the current frame, or the damage, is. */
    public long offset() {
        return frameOffset;
    }

    /** Returns the length of the current frame; of damage, as far as it can be told, or 0. */
    public int length() {
        return frameLength;
    }

    /** Returns whether the current frame was taken because it lies in a run that was proven. */
    boolean isProven() {
        return frameOffset < provenEnd;
    }

    /** Returns where the last good frame ends. */
    public long end() {
        return end;
    }

    /** Returns the sequence of the record that is due next. */
    public long nextSequence() {
        return nextSequence;
    }

    /** Returns the epoch of the last good frame. */
    public int epoch() {
        return epoch;
    }

    /** Returns the checksum of the last good frame. */
    public int lastChecksum() {
        return lastChecksum;
    }

    /** Returns whether the last good frame closes the journal. */
    public boolean closed() {
        return closed;
    }

    /** Returns what is wrong, after {@link Step#DAMAGE}. */
    public String damage() {
        return damage;
    }

    /** Returns where the only byte is that is wrong in the damaged frame, or -1 if it is not one alone. */
    public long wrongByte() {
        return wrongByte;
    }

    /** Returns whether what belongs here was never written: there are zeros, or a good frame that belongs elsewhere. */
    public boolean outOfPlace() {
        return outOfPlace;
    }

    /**
     * Returns whether the damage is in a gap: the mark that is due begins the next block, whole. What is before it was
     * to be zeros, so no interrupted write has left it there. To be called after {@link Step#DAMAGE}.
     */
    public boolean isInGap() throws IOException {
        long block = end + (blockBytes - 1) & -blockBytes;
        if (frameOffset >= block || block + Mark.BYTES > segmentBytes || !window.load(file, block, Mark.BYTES)) {
            return false;
        }
        long word = window.getLong(block + JournalRecord.TYPE_OFFSET);
        return window.getInt(block + Frame.LENGTH_OFFSET) == Mark.LENGTH
                && (short) word == Mark.TYPE
                && isDue(word, window.getLong(block + JournalRecord.SEQUENCE_OFFSET))
                && seal.checksum(window.buffer(), window.at(block), Mark.LENGTH)
                        == window.getInt(block + Frame.TAG_OFFSET);
    }

    /**
     * Returns whether the walk has stopped, at an end or at damage, where the frame that is due lies whole but for its
     * length of 0: that was a power of two, and its one bit has flipped. No interrupted write leaves that, since the
     * length and the checksum go into the file together. Then {@link #damage} says so. Not for a file that grows.
     */
    public boolean hasLostLength() throws IOException {
        long offset = zeroLengthOffset;
        if (offset < end || !window.load(file, offset, JournalRecord.HEADER_BYTES)) {
            return false;
        }
        int checksum = window.getInt(offset + Frame.TAG_OFFSET);
        long word = window.getLong(offset + JournalRecord.TYPE_OFFSET);
        if ((short) word < 0 || !isDue(word, window.getLong(offset + JournalRecord.SEQUENCE_OFFSET))) {
            return false;
        }
        long bytes = Math.min(segmentBytes, file.size()) - offset;
        long done = JournalRecord.TYPE_OFFSET;
        seal.begin();
        for (long length = LEAST_POWER_OF_TWO; length <= Math.min(bytes, Integer.MAX_VALUE); length *= 2) {
            while (done < length) {
                int more = (int)
                        Math.min(Math.min(length - done, window.capacity()), window.available(file, offset + done));
                seal.update(window.buffer(), window.at(offset + done), more);
                done += more;
            }
            if (seal.end((int) length) == checksum) {
                damage(offset, 0, "a frame of " + length + " bytes whose length is wrong by one bit");
                return true;
            }
        }
        return false;
    }

    private void checkRun(long offset) throws IOException {
        RunCheck check = runs;
        if (check != null) {
            provenEnd = check.prove(file, window) ? check.offset() : 0;
            nextRun = check.offset();
        }
    }

    /**
     * Reads the frame at {@code offset}; behind a gap there must be a mark, or the gap is a hole that nobody has
     * written.
     */
    private Step frame(long offset, int length) throws IOException {
        Step step = read(offset, length);
        if (step == Step.DAMAGE && offset != end && !resemblesMark(offset, length)) {
            outOfPlace = true;
        }
        return step;
    }

    private boolean resemblesMark(long offset, int length) throws IOException {
        return length == Mark.LENGTH
                || window.load(file, offset, Mark.LENGTH)
                        && JournalRecord.type(window.memory(), window.at(offset)) == Mark.TYPE;
    }

    private Step read(long offset, int length) throws IOException {
        if (length < JournalRecord.HEADER_BYTES || offset + length > segmentBytes) {
            return damage(offset, 0, "a frame with the impossible length " + length);
        }
        int aligned = Frame.align(length);
        if (!window.holds(offset, aligned) && !loadWhole(offset, length, aligned)) {
            return damage(offset, length, "a frame of " + length + " bytes that the file is too short for");
        }
        int checksum = window.getInt(offset + Frame.TAG_OFFSET);
        if (offset >= provenEnd && seal.checksum(window.buffer(), window.at(offset), length) != checksum) {
            return wrongChecksum(offset, length, checksum);
        }
        return accept(offset, length, checksum);
    }

    /** Loads a frame, unless it cannot be there: then a length that is wrong costs no memory. */
    private boolean loadWhole(long offset, int length, int aligned) throws IOException {
        return offset + length <= file.size() && window.load(file, offset, aligned);
    }

    private Step accept(long offset, int length, int checksum) {
        long word = window.getLong(offset + JournalRecord.TYPE_OFFSET);
        short type = (short) word;
        byte flags = (byte) (word >>> 24);
        int frameEpoch = (int) (word >>> 32);
        long sequence = window.getLong(offset + JournalRecord.SEQUENCE_OFFSET);
        if (!isDue(word, sequence)) {
            return notDue(offset, length, frameEpoch, sequence);
        }
        if (type < 0 && type != Mark.TYPE) {
            return damage(offset, length, "a frame of the unknown type " + type);
        }
        frameOffset = offset;
        frameLength = length;
        lastChecksum = checksum;
        end = offset + Frame.align(length);
        epoch = frameEpoch;
        closed = type == Mark.TYPE && (flags & Mark.CLOSED) != 0;
        if (type == Mark.TYPE) {
            return Step.MARK;
        }
        nextSequence++;
        return Step.RECORD;
    }

    /** Returns whether a frame with that word, which begins with the type, and that sequence comes next. */
    private boolean isDue(long word, long sequence) {
        int frameEpoch = (int) (word >>> 32);
        boolean opens = (short) word == Mark.TYPE && ((byte) (word >>> 24) & Mark.OPENED) != 0 && frameEpoch > epoch;
        return sequence == nextSequence && (frameEpoch == epoch || opens);
    }

    private Step notDue(long offset, int length, int frameEpoch, long sequence) {
        damage(
                offset,
                length,
                "a frame of epoch " + frameEpoch + " with sequence " + sequence + " where epoch " + epoch
                        + " and sequence " + nextSequence + " are due");
        outOfPlace = true;
        return Step.DAMAGE;
    }

    /** Tells a length of which one bit has flipped, which no interrupted write does, from a frame that is not whole. */
    private Step wrongChecksum(long offset, int length, int checksum) throws IOException {
        window.readAll(file, offset);
        int at = window.at(offset);
        for (int bit = 0; bit < Integer.SIZE - 1; bit++) {
            int other = length ^ 1 << bit;
            if (other >= JournalRecord.HEADER_BYTES
                    && at + Frame.align(other) <= window.filled()
                    && seal.checksum(window.buffer(), at, other) == checksum) {
                return damage(offset, 0, "a frame of " + other + " bytes whose length is wrong by one bit");
            }
        }
        int covered = Frame.align(length) - JournalRecord.TYPE_OFFSET;
        int wrong = WrongByte.position(seal.checksum(window.buffer(), at, length) ^ checksum, covered);
        damage(offset, length, "a frame of " + length + " bytes with a wrong checksum");
        wrongByte = wrong < 0 ? -1 : offset + (wrong == covered ? Frame.TAG_OFFSET : JournalRecord.TYPE_OFFSET + wrong);
        return Step.DAMAGE;
    }

    private Step damage(long offset, int length, String what) {
        frameOffset = offset;
        frameLength = length;
        damage = what;
        outOfPlace = false;
        wrongByte = -1;
        return Step.DAMAGE;
    }
}
