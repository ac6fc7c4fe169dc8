package io.slipstream.lab.run;

import io.slipstream.lab.Case;
import io.slipstream.lab.Crew;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Form;
import io.slipstream.lab.Pinning;
import io.slipstream.lab.Round;
import io.slipstream.lab.Workload;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Runs a case in this JVM: warm-up, then the rounds that count, with the calm of the machine beside them. */
final class CaseRunner {
    private final Workload workload;
    private final Form form;
    private int passes;

    private CaseRunner(Workload workload, Form form) {
        this.workload = workload;
        this.form = form;
    }

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
                CaseRunner runner = new CaseRunner(workload, form);
                runner.warmUp(chosen.warmUpMillis(form), out);
                if (form != Form.TINY) {
                    // Nothing of the warm-up may be collected on the time of a round.
                    System.gc();
                }
                runner.passes = 0;
                conditions.begin();
                for (int i = 0; i < form.rounds(); i++) {
                    out.accept(Event.round(false, runner.round()));
                }
                String unpinned = Pinning.failure();
                out.accept(conditions.end(
                        runner.passes,
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

    private void warmUp(long leastMillis, Consumer<Event> out) throws Exception {
        long startNanos = System.nanoTime();
        int rounds = 0;
        while (rounds < form.warmUpRounds() || System.nanoTime() - startNanos < leastMillis * 1_000_000L) {
            out.accept(Event.round(true, round()));
            rounds++;
        }
    }

    /**
     * As many passes of the workload as make a round long enough. Of what they found, the means; of rates, which belong
     * to the same amount of work each, the harmonic ones: all work by all time.
     */
    private Map<String, Double> round() throws Exception {
        Map<String, Double> sums = new LinkedHashMap<>();
        Map<String, Integer> counts = new HashMap<>();
        long startNanos = System.nanoTime();
        do {
            Round round = new Round();
            workload.run(round);
            passes++;
            round.values().forEach((metric, value) -> {
                sums.merge(metric, Findings.isRate(metric) ? 1 / value : value, Double::sum);
                counts.merge(metric, 1, Integer::sum);
            });
        } while (System.nanoTime() - startNanos < form.leastRoundMillis() * 1_000_000L);
        sums.replaceAll((metric, sum) -> {
            int count = counts.getOrDefault(metric, 1);
            return Findings.isRate(metric) ? count / sum : sum / count;
        });
        return sums;
    }
}
