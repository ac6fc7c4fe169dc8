package io.slipstream.lab.run;

import io.slipstream.lab.Form;
import io.slipstream.lab.run.quiet.Calm;
import io.slipstream.lab.run.quiet.CpuTimes;
import io.slipstream.lab.run.quiet.Hiccups;
import io.slipstream.lab.run.quiet.PerfStat;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What went on beside the rounds of a case: the calm of the machine, and what the hardware counted. */
final class Conditions implements AutoCloseable {
    private final Form form;
    private @Nullable PerfStat counting;
    private @Nullable Watch watch;

    private Conditions(Form form, @Nullable PerfStat counting) {
        this.form = form;
        this.counting = counting;
    }

    /**
     * Prepares to watch, which takes a while, so before the warm-up.
     *
     * @param scratch where files may be for a while
     * @param process the one that runs the rounds: this one or a child
     */
    static Conditions prepare(Form form, Path scratch, ProcessHandle process) throws InterruptedException {
        return new Conditions(form, form == Form.TINY ? null : PerfStat.start(scratch, process));
    }

    /** Begins to watch. */
    void begin() throws InterruptedException {
        PerfStat perf = counting;
        if (perf != null && !perf.begin()) {
            perf.abandon();
            counting = null;
        }
        watch = new Watch(collectedMillis(), CpuTimes.now(), new Hiccups());
    }

    boolean hasBegun() {
        return watch != null;
    }

    /**
     * Ends watching; what was found since {@link #begin}.
     *
     * @param passes how often the work was done, for the counts of one time
     * @param threads how many threads the rounds kept busy
     * @param warning what was not as it should be, or null
     */
    Event end(int passes, int threads, @Nullable String warning) throws InterruptedException {
        Watch watched = Objects.requireNonNull(watch, "not begun");
        Hiccups hiccups = watched.hiccups;
        CpuTimes start = watched.start;
        hiccups.close();
        CpuTimes end = CpuTimes.now();
        Map<String, Double> counts = new LinkedHashMap<>();
        if (counting != null) {
            counting.end().forEach((event, count) -> counts.put(event, count / passes));
        }
        double limitMicros = Calm.stallLimitMicros(
                threads,
                Runtime.getRuntime().availableProcessors(),
                (end.nanos() - start.nanos()) / 1e3 / form.rounds(),
                (collectedMillis() - watched.collectedMillis) * 1e3);
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
        if (watch != null) {
            watch.hiccups.close();
        }
        if (counting != null) {
            counting.abandon();
        }
    }

    private record Watch(long collectedMillis, CpuTimes start, Hiccups hiccups) {}
}
