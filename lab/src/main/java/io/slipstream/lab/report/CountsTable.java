package io.slipstream.lab.report;

import io.slipstream.lab.Figure;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Sample;
import io.slipstream.lab.machine.MachineSheet;
import io.slipstream.lab.run.CaseResult;
import io.slipstream.lab.run.ExperimentResult;
import java.util.ArrayList;
import java.util.List;

/** What {@code perf} counted while the work of each case was done once, and why it did not count more. */
final class CountsTable {
    private CountsTable() {}

    static void add(Html page, ExperimentResult result, MachineSheet machine) {
        List<String> events = result.cases().stream()
                .flatMap(c -> c.samples().keySet().stream())
                .filter(metric -> metric.startsWith(Findings.COUNTED))
                .distinct()
                .toList();
        if (!machine.hasCounters()) {
            page.element("p class=\"note\"", "Hardware counters: " + machine.counters() + ".");
        }
        if (events.isEmpty()) {
            return;
        }
        page.element(
                "p class=\"note\"",
                "Counted by perf while the work was done once (in a benchmark of JMH: in a round), all threads of"
                        + " the JVM"
                        + " together:");
        List<String> head = new ArrayList<>(List.of("Case"));
        events.forEach(event -> head.add(event.substring(Findings.COUNTED.length())));
        page.raw("<div class=\"scroll\"><table class=\"figures\">\n").head(head);
        for (CaseResult one : result.cases()) {
            List<String> row = new ArrayList<>(List.of(one.series() + (one.x().isEmpty() ? "" : ", " + one.x())));
            events.forEach(event -> {
                List<Double> values = one.samples().get(event);
                row.add(values == null ? "–" : Figure.show(new Sample(values).median()));
            });
            page.row(row);
        }
        page.raw("</table></div>\n");
    }
}
