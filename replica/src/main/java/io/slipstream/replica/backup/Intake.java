package io.slipstream.replica.backup;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.JournalReader;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.replica.wire.Kind;
import io.slipstream.replica.wire.Link;
import io.slipstream.replica.wire.RecordSum;
import io.slipstream.replica.wire.WireException;
import io.slipstream.service.host.Host;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.Lock;

/**
 * Appends what a primary pushes: the records that follow the last one here, and no others. Its lock makes whoever
 * holds it the journal's owner.
 */
final class Intake {
    /* A primary that never lets the socket run dry must hear of what is durable nevertheless. */
    private static final int MOST_UNACKNOWLEDGED_BYTES = 1 << 23;
    private static final long MOST_UNACKNOWLEDGED_NANOS = 100_000_000;
    private static final long CATCHING_UP_RECORDS = 20_000;

    private final Journal journal;
    private final Runnable onCommit;
    private final Host host;
    private final Lock lock;
    private MemorySegment frames = MemorySegment.ofArray(new long[1 << 12]);
    private long primarySequence;
    private volatile boolean catchingUp;
    private long unacknowledgedBytes;
    private long unacknowledgedSinceNanos;

    Intake(Journal journal, Runnable onCommit, Host host) {
        this.journal = journal;
        this.onCommit = onCommit;
        this.host = host;
        this.lock = host.threads().lock();
    }

    /** Returns the lock that makes its holder the owner of the journal. */
    Lock lock() {
        return lock;
    }

    /** Returns what the primary had when it last said so. */
    long primarySequence() {
        lock.lock();
        try {
            return primarySequence;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the primary has sent much less than it has, so that the journal should go first. Any thread. */
    boolean isCatchingUp() {
        return catchingUp;
    }

    /** Returns the sequence of the record that is due. */
    long nextSequence() {
        lock.lock();
        try {
            return journal.nextSequence();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the checksum of the last record here; 0 if there is none. For who has the lock. */
    long sumOfLast() throws IOException {
        long last = journal.nextSequence() - 1;
        if (last < journal.firstSequence()) {
            return 0;
        }
        long[] sum = new long[1];
        RecordSum sums = new RecordSum();
        try (JournalReader reader = journal.reader(last)) {
            reader.poll((memory, offset, length) -> sum[0] = sums.of(memory, offset, length), 1);
        }
        return sum[0];
    }

    /**
     * Takes what one message brings. Acknowledges when nothing more has arrived, so that one force is for all, or when
     * it is much or long ago. For who has the lock.
     */
    void take(Link link, Kind kind) throws IOException {
        primarySequence = link.number();
        if (kind == Kind.DATA) {
            if (unacknowledgedBytes == 0) {
                unacknowledgedSinceNanos = host.nanoTime();
            }
            unacknowledgedBytes += append(link);
            catchingUp = primarySequence - journal.nextSequence() > CATCHING_UP_RECORDS;
            if (unacknowledgedBytes < MOST_UNACKNOWLEDGED_BYTES
                    && link.hasMore()
                    && host.nanoTime() - unacknowledgedSinceNanos < MOST_UNACKNOWLEDGED_NANOS) {
                return;
            }
        }
        commit();
        link.send(Kind.ACK, journal.nextSequence() - 1);
    }

    /** Makes durable what was appended, also by a connection that has ended in the middle. For who has the lock. */
    void settle() throws IOException {
        catchingUp = false;
        commit();
    }

    private void commit() throws IOException {
        unacknowledgedBytes = 0;
        journal.commit();
        onCommit.run();
    }

    /** Returns how many bytes there were. */
    private int append(Link link) throws IOException {
        long first = link.number();
        if (first != journal.nextSequence()) {
            throw new WireException(
                    "records from " + first + " on have come, and " + journal.nextSequence() + " is due");
        }
        ByteBuffer received = link.received();
        int bytes = received.remaining();
        if (frames.byteSize() < bytes) {
            frames = MemorySegment.ofArray(new long[(bytes + Long.BYTES - 1) / Long.BYTES * 2]);
        }
        MemorySegment.copy(
                received.array(),
                received.arrayOffset() + received.position(),
                frames,
                ValueLayout.JAVA_BYTE,
                0,
                bytes);
        requireRecords(bytes, first);
        int from = 0;
        while (from < bytes) {
            int to = from;
            while (to < bytes) {
                int size = Frame.align(Frame.length(frames, to));
                if (to > from && to + size - from > journal.maxAppendBytes()) {
                    break;
                }
                to += size;
            }
            journal.append(frames, from, to - from);
            from = to;
        }
        return bytes;
    }

    /** All of it, before any of it is appended. */
    private void requireRecords(int bytes, long first) throws WireException {
        long sequence = first;
        for (int at = 0; at < bytes; sequence++) {
            int length = bytes - at < JournalRecord.HEADER_BYTES ? 0 : Frame.length(frames, at);
            if (length < JournalRecord.HEADER_BYTES || length > bytes - at || Frame.align(length) > bytes - at) {
                throw new WireException("there is no whole record at byte " + at + " of " + bytes);
            }
            if (Frame.align(length) > journal.maxAppendBytes()) {
                throw new WireException("record " + sequence + " has " + length + " bytes, and the journal here takes "
                        + journal.maxAppendBytes() + "; give the backup segments as large as the primary's");
            }
            if (JournalRecord.type(frames, at) < 0 || JournalRecord.sequence(frames, at) != sequence) {
                throw new WireException("record " + sequence + " is due, and number "
                        + JournalRecord.sequence(frames, at) + " of type " + JournalRecord.type(frames, at)
                        + " has come");
            }
            at += Frame.align(length);
        }
    }
}
