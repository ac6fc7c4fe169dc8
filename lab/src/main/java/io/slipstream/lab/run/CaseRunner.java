package io.slipstream.lab.run;

import io.slipstream.lab.Case;
import io.slipstream.lab.Crew;
import io.slipstream.lab.Form;
import io.slipstream.lab.Pinning;
import io.slipstream.lab.Round;
import io.slipstream.lab.Workload;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;

/** Runs a case in this JVM: warm-up, then the rounds that count, with the calm of the machine beside them. */
final class CaseRunner {
    private CaseRunner() {}

    /**
     * Runs it.
     *
     * @param scratch where files may be for a while
     */
    static void run(Case chosen, Form form, Path scratch, Consumer<Event> out) throws Exception {
        try (Workload workload = open(chosen, scratch)) {
            TwinWorkload twin = workload instanceof TwinWorkload ? (TwinWorkload) workload : null;
            ProcessHandle measured = twin == null ? ProcessHandle.current() : twin.handle();
            try (Conditions conditions = Conditions.prepare(form, scratch, measured)) {
                warmUp(workload, form, out);
                if (form != Form.TINY) {
                    // Nothing of the warm-up may be collected on the time of a round.
                    System.gc();
                }
                conditions.begin();
                for (int i = 0; i < form.rounds(); i++) {
                    out.accept(Event.round(false, round(workload)));
                }
                String unpinned = Pinning.failure();
                out.accept(conditions.end(
                        twin == null ? Crew.largest() : twin.threads(),
                        unpinned == null ? null : "not all of its threads were pinned: " + unpinned));
            }
        }
    }

    private static Workload open(Case chosen, Path scratch) throws Exception {
        Case.Twin twin = chosen.twin();
        if (twin != null) {
            return new TwinWorkload(twin, scratch);
        }
        Workload.Source source = chosen.source();
        if (source == null) {
            throw new IllegalArgumentException("'" + chosen.name() + "' is a benchmark of JMH");
        }
        return source.open();
    }

    private static void warmUp(Workload workload, Form form, Consumer<Event> out) throws Exception {
        long startNanos = System.nanoTime();
        int rounds = 0;
        while (rounds < form.warmUpRounds() || System.nanoTime() - startNanos < form.warmUpMillis() * 1_000_000L) {
            out.accept(Event.round(true, round(workload)));
            rounds++;
        }
    }

    private static Map<String, Double> round(Workload workload) throws Exception {
        Round round = new Round();
        workload.run(round);
        return round.values();
    }
}
