package io.slipstream.cli.service;

import io.slipstream.journal.RecoveryReport;
import java.io.PrintWriter;
import java.util.Locale;

/** Says what a start has found in the journal. */
public final class Recovered {
    private Recovered() {}

    /** Prints it; {@code nanos} is how long it took. */
    public static void tell(PrintWriter out, RecoveryReport report, long nanos) {
        if (report.records() == 0) {
            out.println("The journal is new.");
        } else {
            out.printf(
                    Locale.ROOT,
                    "Recovered %,d log entries in %.3f s%s.%n",
                    report.records(),
                    nanos / 1e9,
                    report.clean() ? "" : "; the last run had not ended in order");
        }
        if (report.missingBytes() > 0) {
            out.printf(
                    Locale.ROOT,
                    "The last segment was %,d bytes too short; what was in them is lost.%n",
                    report.missingBytes());
        }
        for (String renewed : report.renewed()) {
            out.printf(Locale.ROOT, "Wrote a damaged file anew: %s. Look at the device.%n", renewed);
        }
        RecoveryReport.Cut cut = report.cut();
        if (cut != null) {
            out.printf(
                    Locale.ROOT,
                    "Cut a torn tail of %,d bytes off %s at offset %d (%s); %s.%n",
                    cut.bytes(),
                    cut.file(),
                    cut.offset(),
                    cut.reason(),
                    cut.keptIn().isEmpty()
                            ? "the device has no room to keep it aside, so that this waits until it has"
                            : "it is kept in " + cut.keptIn());
        }
    }
}
