package io.slipstream.lab.run;

import io.slipstream.lab.Case;
import io.slipstream.lab.Experiment;

/** Told what the runner is at. Called on the runner's thread. */
public interface Progress {
    Progress SILENT = (experiment, current, done, total) -> {};

    /**
     * A fork of a case starts, after {@code done} of {@code total} seconds' worth of work as estimated from the cards.
     */
    void at(Experiment experiment, Case current, double doneSeconds, double totalSeconds);

    default void finished(ExperimentResult result) {}
}
