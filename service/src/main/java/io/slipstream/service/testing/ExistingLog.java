package io.slipstream.service.testing;

import io.slipstream.journal.Journal;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.logic.LogicError;
import java.io.IOException;
import java.nio.file.Path;

/** Opens the log of a service to check it: one that is there, since a log without entries would prove anything. */
final class ExistingLog {
    private ExistingLog() {}

    /** Checks that a folder is there: a service makes one that is not. */
    static void requireFolder(Path folder) throws IOException {
        FileStorage.openExisting(folder).close();
    }

    /**
     * Opens the log of a service.
     *
     * @throws IOException if there is no entry in it, or the log cannot be read or is in use
     */
    static Journal open(ServiceConfig config) throws IOException {
        Journal journal = Journal.open(config.host().storage(config.directory()), config.journal());
        if (journal.nextSequence() == 1) {
            journal.close();
            throw new IOException("there is no log of a service in " + config.directory());
        }
        return journal;
    }

    /** Returns what says in a line that the machine has thrown an {@link Error} in a replay, and where. */
    static IOException endedBy(LogicError error) {
        Throwable thrown = error.getCause();
        String where = thrown == null || thrown.getStackTrace().length == 0
                ? ""
                : ". It was thrown at " + thrown.getStackTrace()[0];
        return new IOException(error.getMessage() + where, error);
    }
}
