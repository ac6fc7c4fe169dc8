package io.slipstream.cli.sim;

import io.slipstream.sim.service.SimulationReport;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What became of some lives, for the console and as a page.
 *
 * @param service what lived
 * @param clients how many there were
 * @param report  what happened
 * @param outcome how it has ended
 * @param noProof why these lives prove nothing, or null if they do
 */
record LivesSummary(
        String service,
        int clients,
        SimulationReport report,
        Lives.Outcome outcome,
        @Nullable String noProof) {
    /** Returns whether all promises were kept, and that means something. */
    boolean isGood() {
        return outcome.broken().isEmpty() && noProof == null;
    }

    String text() {
        return report + System.lineSeparator() + speed() + System.lineSeparator() + verdict() + System.lineSeparator();
    }

    String html() {
        String rows = report.disasters().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(each -> row(each.getKey().toString(), String.format(Locale.ROOT, "%,d", each.getValue())))
                .collect(Collectors.joining());
        return String.format(
                Locale.ROOT,
                """
                <!doctype html><html lang="en"><head><meta charset="utf-8"><title>Simulated lives</title>
                <style>body{font:16px/1.5 system-ui;max-width:50em;margin:2em auto}td{padding:0 1em 0 0}</style></head>
                <body><h1>%s</h1><p>%s</p><table>%s%s%s%s%s%s%s</table><h2>What went wrong, and how often</h2>
                <table>%s</table><p>Never: %s</p><h2>What should happen sometimes, and in how many lives it did</h2>
                <table>%s</table><h2>Broken promises</h2><pre>%s</pre></body></html>
                """,
                escaped(service),
                escaped(verdict()),
                row("Date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString())
                        + row("Commit", SoakHistory.commit())
                        + row("JDK", Runtime.version() + ", " + System.getProperty("java.vm.name")),
                row("Seeds", outcome.seed() + " to " + (outcome.seed() + report.lives() - 1))
                        + row("Clients", Integer.toString(clients)),
                row("Lives", String.format(Locale.ROOT, "%,d", report.lives())),
                row("Simulated years", String.format(Locale.ROOT, "%.4f", report.simulatedNanos() / 3.15576e16)),
                row(
                        "Commands",
                        String.format(
                                Locale.ROOT,
                                "%,d offered, %,d answered, %,d refused as busy, %,d rejected or failed",
                                report.offered(),
                                report.replied(),
                                report.refused(),
                                report.failed())),
                row("Snapshots", String.format(Locale.ROOT, "%,d", report.snapshots())),
                row("Speed", speed()) + row("Hash of all events", String.format(Locale.ROOT, "%016x", report.hash())),
                rows
                        + report.faultPoints().entrySet().stream()
                                .sorted(Map.Entry.comparingByKey())
                                .map(each -> row(
                                        "in the code: " + each.getKey(),
                                        String.format(Locale.ROOT, "%,d", each.getValue())))
                                .collect(Collectors.joining()),
                escaped(report.neverStruck().toString()),
                report.sometimes().entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(each -> row(each.getKey(), String.format(Locale.ROOT, "%,d", each.getValue())))
                        .collect(Collectors.joining()),
                outcome.broken().isEmpty() ? "none" : escaped(String.join("\n\n", outcome.broken())));
    }

    private String speed() {
        return String.format(
                Locale.ROOT,
                "%,.0f lives a minute, %,.0f commands a second, %,.1f simulated hours in a "
                        + "minute of processor time",
                report.lives() * 60 / outcome.seconds(),
                report.offered() / outcome.seconds(),
                report.simulatedNanos() / 3.6e12 * 60 / outcome.cpuSeconds());
    }

    private String verdict() {
        if (!outcome.broken().isEmpty()) {
            return "PROMISES BROKEN: " + outcome.broken().size();
        }
        return noProof == null ? "all promises kept" : "NO PROOF: " + noProof;
    }

    private static String row(String name, String value) {
        return "<tr><td>" + escaped(name) + "</td><td>" + escaped(value) + "</td></tr>";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
