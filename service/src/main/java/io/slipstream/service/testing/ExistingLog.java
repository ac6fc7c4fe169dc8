package io.slipstream.service.testing;

import io.slipstream.journal.Journal;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.logic.LogicError;
import java.io.IOException;

/** Opens the log of a service to check it: one that is there, since a log without entries would prove anything. */
final class ExistingLog {
    private ExistingLog() {}

    /**
     * Opens the log in the folder of {@code config}.
     *
     * @throws IOException if there is no such folder or no entry in it, or the log cannot be read or is in use
     */
    static Journal open(ServiceConfig config) throws IOException {
        // A service makes a folder that is not there.
        FileStorage.openExisting(config.directory()).close();
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
