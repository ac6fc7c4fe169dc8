package io.slipstream.cluster.files;

import io.aeron.cluster.codecs.MessageHeaderDecoder;
import io.aeron.cluster.codecs.SessionMessageHeaderDecoder;
import io.aeron.cluster.codecs.SnapshotMark;
import io.aeron.cluster.codecs.SnapshotMarkerDecoder;
import io.slipstream.cluster.log.Envelope;
import io.slipstream.cluster.log.Origins;
import io.slipstream.cluster.log.Replicated;
import io.slipstream.cluster.log.VersionSwitch;
import io.slipstream.core.frame.Frame;
import io.slipstream.service.logic.Logic;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Start;
import io.slipstream.service.snapshot.ChunkedInput;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The log of a member as the records that its state machine has applied, with the sequences that the members give them:
 * as the journal of a service on one machine has them. It begins at the oldest snapshot, or at the very beginning if
 * the log still has that. What was not committed yet is among them. Nothing is written, and the member may run
 * meanwhile. For one thread.
 */
public final class MemberRecords {
    private static final int SESSION_HEADER_BYTES =
            MessageHeaderDecoder.ENCODED_LENGTH + SessionMessageHeaderDecoder.BLOCK_LENGTH;

    /* The first record of a snapshot is shorter, with all frames that it is in. */
    private static final int HEADING_BYTES = 1 << 18;

    private final MemberLog log;
    private final RecordedFrames frames;
    private final RecordedMessages messages = new RecordedMessages(this::onMessage);
    private final Records records;
    private final Origins origins = new Origins();
    private final MessageHeaderDecoder kind = new MessageHeaderDecoder();
    private final SessionMessageHeaderDecoder entry = new SessionMessageHeaderDecoder();
    private long sequence;
    private long timeNanos;
    private int version = -1;
    private long position;

    private MemberRecords(MemberLog log, Records records) {
        this.log = log;
        this.frames = log.frames();
        this.records = records;
    }

    /**
     * Looks at the log of the member in a folder.
     *
     * @param records hears of what {@link #read} comes to
     * @throws IOException if there is no member, or its log or its snapshot are damaged where it begins
     */
    public static MemberRecords of(Path directory, Records records) throws IOException {
        MemberRecords opened = new MemberRecords(MemberLog.of(directory), records);
        opened.begin();
        return opened;
    }

    private void begin() throws IOException {
        position = log.start();
        if (position == 0) {
            return;
        }
        TermEntry oldest = log.terms().all().stream()
                .filter(each -> each.isSnapshot() && each.service() == 0 && each.position() >= log.start())
                .min(Comparator.comparingLong(TermEntry::position))
                .orElseThrow(() -> new IOException("the log begins at byte " + log.start()
                        + ", and there is no snapshot that tells which entry that is"));
        load(log.recording(oldest.recording()));
        position = oldest.position();
    }

    private void load(Recording snapshot) throws IOException {
        FirstChunk first = new FirstChunk();
        RecordedFrames of = log.frames(snapshot);
        of.read(snapshot.start(), snapshot.start() + HEADING_BYTES, new RecordedMessages(first::take));
        ChunkedInput input = new ChunkedInput(first, Long.MAX_VALUE);
        int format = input.readInt();
        if (format != Replicated.FORMAT) {
            throw new IOException(
                    "the snapshot has format " + format + ", and this version reads " + Replicated.FORMAT);
        }
        origins.load(input);
        Logic.Heading heading = Logic.Heading.read(input);
        sequence = heading.lastSequence();
        timeNanos = heading.lastTimeNanos();
        version = heading.version();
    }

    /** Returns the sequence of the last record that was passed, or of the one before the first. */
    public long lastSequence() {
        return sequence;
    }

    /** Returns the position in the log up to which it was read. */
    public long position() {
        return position;
    }

    /** Passes the records that come next, up to the end, or to something that is no end; returns which of them. */
    public boolean read() throws IOException {
        messages.forget();
        position = messages.unfinished(frames.read(position, Long.MAX_VALUE, messages));
        return frames.damage() == null;
    }

    /** Returns what {@link #read} has come to that is no end: torn, damaged, or being written; null if nothing is. */
    public @Nullable String damage() {
        return frames.damage();
    }

    private void onMessage(long at, ByteBuffer message) throws IOException {
        UnsafeBuffer buffer = new UnsafeBuffer(message, 0, message.limit());
        if (message.limit() < SESSION_HEADER_BYTES) {
            return;
        }
        kind.wrap(buffer, 0);
        if (kind.schemaId() != MessageHeaderDecoder.SCHEMA_ID
                || kind.templateId() != SessionMessageHeaderDecoder.TEMPLATE_ID) {
            // Terms, sessions and what else Aeron keeps for itself.
            return;
        }
        entry.wrapAndApplyHeader(buffer, 0, kind);
        int length = message.limit() - SESSION_HEADER_BYTES;
        MemorySegment memory = MemorySegment.ofBuffer(message);
        Envelope.requireSound(memory, SESSION_HEADER_BYTES, length);
        if (Envelope.isProbe(memory, SESSION_HEADER_BYTES)) {
            return;
        }
        int member = Envelope.member(memory, SESSION_HEADER_BYTES);
        Origins.Verdict verdict = origins.admit(
                member,
                Envelope.origin(memory, SESSION_HEADER_BYTES),
                Envelope.isFirst(memory, SESSION_HEADER_BYTES),
                Envelope.start(memory, SESSION_HEADER_BYTES),
                Envelope.end(memory, SESSION_HEADER_BYTES));
        if (verdict != Origins.Verdict.DROPPED) {
            timeNanos = Math.max(timeNanos, entry.timestamp());
            frames(new Place(at, entry.leadershipTermId(), member), memory);
        }
    }

    private void frames(Place place, MemorySegment memory) throws IOException {
        for (long at = SESSION_HEADER_BYTES + Envelope.HEADER_BYTES; at < memory.byteSize(); ) {
            int length = Frame.length(memory, at);
            if (length < Message.HEADER_BYTES || length > memory.byteSize() - at) {
                throw new IOException("the log has a frame of " + length + " bytes in the entry at byte "
                        + place.position() + ", which has " + memory.byteSize());
            }
            frame(place, memory, at, length);
            at += Frame.align(length);
        }
    }

    private void frame(Place place, MemorySegment memory, long at, int length) throws IOException {
        short type = Message.type(memory, at);
        if (type == MessageType.CHECK) {
            return;
        }
        if (type == MessageType.START) {
            Start start = Start.decode(memory, at);
            if (!VersionSwitch.counts(start, version)) {
                return;
            }
            version = start.version();
        }
        sequence++;
        Message.sequence(memory, at, sequence);
        Message.timeNanos(memory, at, timeNanos);
        records.onRecord(place, memory, at, length);
    }

    /**
     * Where a record comes from.
     *
     * @param position of the entry in the log that it is in, with others maybe
     * @param term     in which it was written
     * @param member   whose client has sent it
     */
    public record Place(long position, long term, int member) {}

    /** Is passed one record after the other. */
    @FunctionalInterface
    public interface Records {
        /** Called for each record, whose header has its sequence and its time; it is good until this returns. */
        void onRecord(Place place, MemorySegment memory, long offset, int length) throws IOException;
    }

    /** The first of the chunks that a snapshot consists of; a member does not write its heading in more. */
    private static final class FirstChunk implements ChunkedInput.Source {
        private final CRC32C sum = new CRC32C();
        private @Nullable MemorySegment chunk;
        private boolean isBehindSessions;
        private boolean isPassed;

        void take(long position, ByteBuffer message) throws IOException {
            if (chunk != null) {
                return;
            }
            if (!isBehindSessions) {
                isBehindSessions = isEndOfSessions(message);
                return;
            }
            int length = message.limit() - Long.BYTES;
            sum.reset();
            sum.update(message.duplicate().limit(Math.max(0, length)));
            if (length <= 0
                    || sum.getValue() != message.order(ByteOrder.nativeOrder()).getLong(length)) {
                throw new IOException("the snapshot is damaged: its first record has another checksum");
            }
            ByteBuffer copy =
                    ByteBuffer.allocateDirect(length).put(message.duplicate().limit(length));
            chunk = MemorySegment.ofBuffer(copy.flip());
        }

        /** Aeron writes what it knows of its own sessions first, and a mark behind it. */
        private static boolean isEndOfSessions(ByteBuffer message) {
            UnsafeBuffer buffer = new UnsafeBuffer(message, 0, message.limit());
            MessageHeaderDecoder kind = new MessageHeaderDecoder().wrap(buffer, 0);
            return message.limit() >= MessageHeaderDecoder.ENCODED_LENGTH + SnapshotMarkerDecoder.BLOCK_LENGTH
                    && kind.schemaId() == MessageHeaderDecoder.SCHEMA_ID
                    && kind.templateId() == SnapshotMarkerDecoder.TEMPLATE_ID
                    && new SnapshotMarkerDecoder()
                                    .wrapAndApplyHeader(buffer, 0, kind)
                                    .mark()
                            == SnapshotMark.END;
        }

        @Override
        public boolean next() {
            boolean isThere = !isPassed && chunk != null;
            isPassed = true;
            return isThere;
        }

        @Override
        public MemorySegment memory() {
            MemorySegment taken = chunk;
            if (taken == null) {
                throw new IllegalStateException("the snapshot is empty");
            }
            return taken;
        }

        @Override
        public long offset() {
            return 0;
        }

        @Override
        public int length() {
            return Frame.length(memory(), 0);
        }
    }
}
