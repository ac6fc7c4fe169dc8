package io.slipstream.journal;

import io.slipstream.journal.errors.JournalException;
import java.lang.foreign.MemorySegment;

/** What the leader of a {@link GroupCommit} does to the journal. For one thread at a time. */
interface CommitLog {
    /** Accepts frames and gives them their sequences; see {@link Journal#append}. */
    void append(MemorySegment memory, long offset, int bytes) throws JournalException;

    /** Makes all that was accepted durable; see {@link Journal#commit}. */
    void commit() throws JournalException;
}
