package io.slipstream.journal;

import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.format.FileName;
import io.slipstream.journal.format.PositionFile;
import io.slipstream.journal.storage.Storage;
import java.io.IOException;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** The named tailers of a journal. Any thread may use it; who trims holds its monitor. */
final class Tailers {
    private final Journal journal;
    private final Storage storage;
    private final UUID journalId;
    private final boolean force;
    private final Set<String> open = ConcurrentHashMap.newKeySet();
    private boolean closed;

    Tailers(Journal journal, Storage storage, UUID journalId, boolean force) {
        this.journal = journal;
        this.storage = storage;
        this.journalId = journalId;
        this.force = force;
    }

    synchronized Tailer open(String name) throws JournalException {
        requireName(name);
        requireOpen();
        if (!open.add(name)) {
            throw new IllegalStateException("the tailer " + name + " is open already");
        }
        try {
            PositionFile position = position(FileName.tailer(name));
            try {
                return new Tailer(
                        name,
                        journal.reader(position.sequence() + 1),
                        position,
                        force,
                        journal.failed(),
                        () -> open.remove(name));
            } catch (JournalException | RuntimeException | Error e) {
                Closing.quietly(e, position);
                throw e;
            }
        } catch (JournalException | RuntimeException | Error e) {
            open.remove(name);
            throw e;
        } catch (IOException e) {
            open.remove(name);
            throw new JournalException(
                    "cannot open the tailer " + name + " in " + storage.description() + ": "
                            + JournalException.reason(e),
                    e);
        }
    }

    private PositionFile position(String file) throws IOException {
        if (!storage.list().contains(file)) {
            PositionFile.create(storage, file, journalId, journal.firstSequence() - 1, true);
            journal.failed().syncDirectory(storage);
        }
        return PositionFile.open(storage, file, journalId);
    }

    synchronized void remove(String name) throws JournalException {
        requireName(name);
        requireOpen();
        if (open.contains(name)) {
            throw new IllegalStateException("the tailer " + name + " is open");
        }
        try {
            if (storage.list().contains(FileName.tailer(name))) {
                storage.delete(FileName.tailer(name));
                journal.failed().syncDirectory(storage);
            }
        } catch (JournalException e) {
            throw e;
        } catch (IOException e) {
            throw new JournalException("cannot remove the tailer " + name + ": " + JournalException.reason(e), e);
        }
    }

    /** Changes nothing in the folder any more: it may be the folder of another writer from now on. */
    synchronized void close() {
        closed = true;
    }

    private void requireOpen() throws JournalException {
        if (closed) {
            throw journal.isClosed();
        }
    }

    private static void requireName(String name) {
        if (FileName.parseTailer(FileName.tailer(name)).isEmpty()) {
            throw new IllegalArgumentException("a tailer's name has 1 to 64 of a-z, 0-9 and -, not \"" + name + "\"");
        }
    }
}
