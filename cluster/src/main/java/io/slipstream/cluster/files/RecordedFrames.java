package io.slipstream.cluster.files;

import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.slipstream.core.thread.Undisturbed;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Reads the frames of a recording from its files, and checks them. For one thread. */
public final class RecordedFrames {
    /** Bytes of the header of a frame. */
    static final int HEADER_BYTES = DataHeaderFlyweight.HEADER_LENGTH;

    private static final int FRAME_ALIGNMENT = FrameDescriptor.FRAME_ALIGNMENT;
    private static final short PADDING = (short) FrameDescriptor.PADDING_FRAME_TYPE;
    private static final int BUFFER_BYTES = 1 << 18;

    private final Path archive;
    private final Recording recording;
    private final CRC32C sum = new CRC32C();
    private @Nullable String damage;

    RecordedFrames(Path archive, Recording recording) {
        this.archive = archive;
        this.recording = recording;
    }

    /** Returns the position behind the last frame that is whole, also of a recording that is being written. */
    public long end() throws IOException {
        if (recording.stop() != Recording.RUNNING) {
            return recording.stop();
        }
        long segment = recording.segmentOf(recording.start());
        while (Files.exists(recording.file(archive, segment + recording.segmentBytes()))) {
            segment += recording.segmentBytes();
        }
        // A file that is new may have nothing yet.
        return read(Math.max(segment, recording.start()), Long.MAX_VALUE, (position, frame) -> {});
    }

    /**
     * Passes the frames from {@code from} to {@code to}, as far as they are there and whole.
     *
     * @param frames is called by another thread than the caller's, whose interrupt would end the reading
     * @return where it stopped; {@link #damage} tells whether there is something else than an end
     */
    public long read(long from, long to, Frames frames) throws IOException {
        return Undisturbed.call(() -> readUntil(from, to, frames));
    }

    private long readUntil(long from, long to, Frames frames) throws IOException {
        damage = null;
        long position = from;
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        while (position < to) {
            long segment = recording.segmentOf(position);
            long next =
                    readSegment(segment, position, Math.min(to, segment + recording.segmentBytes()), buffer, frames);
            if (next < segment + recording.segmentBytes()) {
                return next;
            }
            position = next;
        }
        return position;
    }

    private long readSegment(long segment, long from, long to, ByteBuffer given, Frames frames) throws IOException {
        Path file = recording.file(archive, segment);
        ByteBuffer buffer = given;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long position = from;
            buffer.limit(0);
            while (position < to) {
                if (!fill(buffer, HEADER_BYTES, channel, position - segment)) {
                    return position;
                }
                int length = buffer.getInt(buffer.position());
                if (length <= 0) {
                    return position;
                }
                int aligned = length + FRAME_ALIGNMENT - 1 & -FRAME_ALIGNMENT;
                if (length < HEADER_BYTES || aligned > segment + recording.segmentBytes() - position) {
                    damage = file + ", byte " + (position - segment) + ": a frame of " + length + " bytes";
                    return position;
                }
                if (buffer.getShort(buffer.position() + DataHeaderFlyweight.TYPE_FIELD_OFFSET) == PADDING) {
                    // Its bytes are not written, and may be as many as a term has.
                    buffer.position(Math.min(buffer.limit(), buffer.position() + aligned));
                    position += aligned;
                    continue;
                }
                if (aligned > buffer.capacity()) {
                    buffer = ByteBuffer.allocate(2 * aligned)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .limit(0);
                }
                if (!fill(buffer, aligned, channel, position - segment)) {
                    return position;
                }
                if (!isWhole(buffer, aligned)) {
                    damage = file + ", byte " + (position - segment) + ": a frame of " + length
                            + " bytes with another checksum";
                    return position;
                }
                frames.onFrame(position, buffer.slice(buffer.position(), length).order(ByteOrder.LITTLE_ENDIAN));
                buffer.position(buffer.position() + aligned);
                position += aligned;
            }
            return position;
        } catch (NoSuchFileException e) {
            if (from == recording.start() || from == segment) {
                return from;
            }
            throw new EOFException(file + " is missing; the log begins at " + recording.start());
        }
    }

    /** Returns what is where {@link #read} has stopped, if that is no end: something torn, damaged or half written. */
    public @Nullable String damage() {
        return damage;
    }

    /** The archive writes the checksum of a frame in place of its session. */
    private boolean isWhole(ByteBuffer buffer, int aligned) {
        sum.reset();
        sum.update(buffer.slice(buffer.position() + HEADER_BYTES, aligned - HEADER_BYTES));
        return (int) sum.getValue() == buffer.getInt(buffer.position() + DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET);
    }

    /** Lets the buffer have that many bytes of what is at {@code offset}; returns whether there are as many. */
    private static boolean fill(ByteBuffer buffer, int bytes, FileChannel channel, long offset) throws IOException {
        if (buffer.remaining() >= bytes) {
            return true;
        }
        buffer.compact();
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, offset + buffer.position()) < 0) {
                break;
            }
        }
        buffer.flip();
        return buffer.remaining() >= bytes;
    }

    /** Is passed one frame after the other. */
    @FunctionalInterface
    public interface Frames {
        /**
         * Called for each frame, but for those that only fill a term.
         *
         * @param frame its header and its bytes; good until this returns
         */
        void onFrame(long position, ByteBuffer frame) throws IOException;
    }
}
