package io.slipstream.lab.run;

import io.slipstream.lab.Form;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What went on beside the rounds of a case: the calm of the machine, and what the hardware counted. */
final class Conditions implements AutoCloseable {
    private final Form form;
    private final @Nullable PerfStat counting;
    private final long collectedMillis = collectedMillis();
    private final CpuTimes start;
    private final Hiccups hiccups;

    private Conditions(Form form, @Nullable PerfStat counting) {
        this.form = form;
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
        return new Conditions(form, form == Form.TINY ? null : PerfStat.begin(scratch, process));
    }

    /**
     * Ends watching; what was found.
     *
     * @param threads how many threads the rounds kept busy
     * @param warning what was not as it should be, or null
     */
    Event end(int threads, @Nullable String warning) throws InterruptedException {
        hiccups.close();
        CpuTimes end = CpuTimes.now();
        Map<String, Double> counts = counting == null ? Map.of() : counting.end();
        double limitMicros = Calm.stallLimitMicros(
                threads,
                Runtime.getRuntime().availableProcessors(),
                (end.nanos() - start.nanos()) / 1e3 / form.rounds(),
                (collectedMillis() - collectedMillis) * 1e3);
        Calm calm = new Calm(
                hiccups.micros(99),
                hiccups.micros(100),
                end.foreignSince(start),
                end.stolenSince(start),
                limitMicros,
                hiccups.trace());
        return Event.end(calm, counts, threads, warning);
    }

    private static long collectedMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
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
