package io.slipstream.lab.run;

import io.slipstream.lab.Form;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What went on beside the rounds of a case: the calm of the machine, and what the hardware counted. */
final class Conditions implements AutoCloseable {
    private final @Nullable PerfStat counting;
    private final CpuTimes start;
    private final Hiccups hiccups;

    private Conditions(@Nullable PerfStat counting) {
        this.counting = counting;
        start = CpuTimes.now();
        hiccups = new Hiccups();
    }

    /**
     * Begins to watch.
     *
     * @param scratch where files may be for a while
     * @param process the one that runs the rounds: this one or a child
     */
    static Conditions begin(Form form, Path scratch, ProcessHandle process) throws InterruptedException {
        return new Conditions(form == Form.TINY ? null : PerfStat.begin(scratch, process));
    }

    /** Ends watching; what was found. */
    Event end() throws InterruptedException {
        hiccups.close();
        CpuTimes end = CpuTimes.now();
        Map<String, Double> counts = counting == null ? Map.of() : counting.end();
        return Event.end(
                new Calm(hiccups.micros(99), hiccups.micros(100), end.foreignSince(start), end.stolenSince(start)),
                counts);
    }

    /** Ends watching when a round failed. */
    @Override
    public void close() {
        hiccups.close();
        if (counting != null) {
            counting.abandon();
        }
    }
}
