package io.slipstream.journal.recovery;

import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalFullException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.storage.Storage;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of a segment that do not belong there: they are first kept in a file of their own and then wiped where they
 * are. For one thread.
 */
public final class Aside {
    private static final int COPY_BYTES = 1 << 20;

    private final Storage storage;
    private final String file;
    private final String keptIn;
    private final long from;
    private final long to;

    Aside(Storage storage, String file, String keptIn, long from, long to) {
        this.storage = storage;
        this.file = file;
        this.keptIn = keptIn;
        this.from = from;
        this.to = to;
    }

    /** Returns the name of the file that keeps them. */
    String keptIn() {
        return keptIn;
    }

    /**
     * Copies the bytes and makes the copy durable.
     *
     * @throws JournalFullException if the copy cannot be written, most often because there is no room; nothing has
     *                              changed then, and it can be tried again
     * @throws IOException          if the copy cannot be made durable
     */
    public void keep() throws IOException {
        String unfinished = keptIn + FileName.UNFINISHED;
        try (StorageFile target = create(unfinished)) {
            target.force();
        }
        storage.rename(unfinished, keptIn);
        storage.syncDirectory();
    }

    /** Writes zeros over the bytes and forces them. */
    public void wipe() throws IOException {
        try (StorageFile opened = storage.open(file)) {
            writeZeros(opened, from, to);
            opened.force();
        }
    }

    static void writeZeros(StorageFile file, long from, long to) throws IOException {
        ByteBuffer zeros = buffer(from, to);
        for (long at = from; at < to; at += zeros.limit()) {
            zeros.clear().limit((int) Math.min(zeros.capacity(), to - at));
            file.writeFully(zeros, at);
        }
    }

    private static ByteBuffer buffer(long from, long to) {
        return ByteBuffer.allocateDirect((int) Math.min(COPY_BYTES, Math.max(0, to - from)));
    }

    private StorageFile create(String unfinished) throws IOException {
        try (StorageFile source = storage.openForReading(file)) {
            ByteBuffer buffer = buffer(from, to);
            StorageFile target = null;
            try {
                target = storage.createAnew(unfinished);
                for (long at = from; at < to; at += buffer.limit()) {
                    source.readFully(buffer.clear().limit((int) Math.min(buffer.capacity(), to - at)), at);
                    target.writeFully(buffer.flip(), at - from);
                }
                return target;
            } catch (IOException e) {
                remove(target, unfinished, e);
                throw new JournalFullException(
                        "cannot keep the " + (to - from) + " bytes of an interrupted write in " + file + " of "
                                + storage.description() + " aside: " + JournalException.reason(e)
                                + ". Nothing was changed; if the device is full, free some space, and try again",
                        e);
            }
        }
    }

    private void remove(@Nullable StorageFile target, String unfinished, IOException cause) {
        if (target == null) {
            return;
        }
        try {
            target.close();
            storage.delete(unfinished);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }
}
