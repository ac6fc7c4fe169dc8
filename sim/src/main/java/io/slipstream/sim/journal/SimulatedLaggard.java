package io.slipstream.sim.journal;

import io.slipstream.journal.Journal;
import io.slipstream.journal.JournalReader;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.record.RecordHandler;
import java.util.function.Function;

/**
 * A reader for which nothing is kept, so that trims overtake it: it is told so, and never handed another record than
 * the one that is due.
 */
final class SimulatedLaggard implements AutoCloseable {
    private final Journal journal;
    private JournalReader reader;

    SimulatedLaggard(Journal journal) throws JournalException {
        this.journal = journal;
        this.reader = journal.reader(journal.firstSequence());
    }

    /** Reads some records; begins anew with the oldest one if those that are due were trimmed. */
    void poll(Function<long[], RecordHandler> checking, int most) throws JournalException {
        long due = reader.nextSequence();
        boolean trimmed = due < journal.firstSequence();
        try {
            reader.poll(checking.apply(new long[] {due}), most);
        } catch (JournalException e) {
            if (!trimmed) {
                throw e;
            }
            reader.close();
            reader = journal.reader(journal.firstSequence());
        }
        if (reader.nextSequence() - 1 > journal.durableSequence().getAcquire()) {
            throw new BrokenPromise(
                    "a reader stands at " + reader.nextSequence() + ", durable is " + journal.durableSequence());
        }
    }

    @Override
    public void close() throws JournalException {
        reader.close();
    }
}
