package io.slipstream.sim.journal;

import io.slipstream.journal.Journal;
import io.slipstream.journal.Tailer;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.record.RecordHandler;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** A named tailer through all lives of a journal, and which of its positions may no longer be lost. */
final class SimulatedTailer {
    private static final String NAME = "simulated";
    private static final int MOST_RECORDS = 40;

    private final Durability durability;
    private final RandomGenerator random;
    private long survivesKill;
    private long survivesPowerLoss;
    private long next;

    SimulatedTailer(Durability durability, RandomGenerator random) {
        this.durability = durability;
        this.random = random;
    }

    /** Notes that the power was lost. */
    void powerLost() {
        survivesKill = survivesPowerLoss;
    }

    /** Returns the last position that a loss of power must leave. */
    long survivesPowerLoss() {
        return survivesPowerLoss;
    }

    /**
     * Opens the tailer and requires that it stands where it has committed, or at the end if records behind that were
     * lost.
     */
    Tailer open(Journal journal) throws JournalException {
        Tailer tailer = journal.tailer(NAME);
        long position = tailer.committedSequence();
        long last = journal.nextSequence() - 1;
        if (position < Math.min(survivesKill, last) || position > last) {
            throw new BrokenPromise("the tailer stands at " + position + "; it has committed " + survivesKill
                    + ", and the last record is " + last);
        }
        next = position + 1;
        survivesKill = position;
        survivesPowerLoss = Math.min(survivesPowerLoss, position);
        return tailer;
    }

    /**
     * Hands out some records and perhaps commits.
     *
     * @param checking gives the handler that checks them, from the sequence of the first one on
     */
    void step(Tailer tailer, Function<long[], RecordHandler> checking) throws JournalException {
        long[] due = {next};
        tailer.poll(checking.apply(due), 1 + random.nextInt(MOST_RECORDS));
        next = due[0];
        if (random.nextBoolean()) {
            tailer.commit();
            survivesKill = next - 1;
            survivesPowerLoss = durability == Durability.SYNC ? survivesKill : survivesPowerLoss;
        }
    }
}
